import {
  computeEndpointInfo,
  computeSeriesStatistics,
  type EndpointStore,
  estimatePolynomialPercentiles,
  inferUnit,
  isEvidence,
  type Period,
  type Series,
  type SeriesStatistics,
} from '@org/core';
import type { Expectation } from './expectation.ts';

/** The statistics of one series, with the data from which they were computed. */
export interface Figures {
  readonly key: string;
  readonly unit: string | null;
  readonly statistics: SeriesStatistics;
  readonly series: Series;
  readonly store: EndpointStore;
  readonly period: Period;
}

/** Creates the unique key of a series of an endpoint. */
export function createSeriesKey(
  url: string,
  metric: string,
  type: string,
  labels: readonly (readonly [string, string])[],
): string {
  const text = labels.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',');
  return `${url} ${type} ${metric}{${text}}`;
}

/**
 * Returns the period with its end as in AIPerf: the last update of the endpoint or the requested end, whichever
 * is later. In a run, Servelens ends the period at the final scrape, but the scrapes of these traces continue
 * after the period.
 */
export function computeAiperfPeriod(store: EndpointStore, { period }: Expectation): Period {
  const { originNs } = store.timeline();
  const requestedEndNs = Number(BigInt(period.end_ns) - originNs);
  const lastUpdate = computeEndpointInfo(store)!.last_update_ns - originNs;
  return {
    startNs: Number(BigInt(period.start_ns) - originNs),
    endNs: Math.max(requestedEndNs, Number(lastUpdate)),
  };
}

/** Computes the statistics of all series of an endpoint that have samples in the period, except summaries. */
export function computeFigures(url: string, store: EndpointStore, expectation: Expectation): Figures[] {
  const period = computeAiperfPeriod(store, expectation);
  const sliceS = expectation.slice_duration;
  const options = {
    period,
    estimator: estimatePolynomialPercentiles,
    ...(sliceS === null ? {} : { sliceNs: Math.round(sliceS * 1e9) }),
  };
  const figures: Figures[] = [];
  for (const series of store.layout.series) {
    if (series.kind === 'summary' || isEvidence(series.family)) continue;
    const statistics = computeSeriesStatistics(store, series, options);
    if (statistics === null) continue;
    const { name, help } = series.family;
    const key = createSeriesKey(url, name, statistics.type, series.labels);
    figures.push({ key, unit: inferUnit(name, help), statistics, series, store, period });
  }
  return figures;
}

/** Fields of slices that AIPerf does not have. */
const ADDED_FIELDS: ReadonlySet<string> = new Set([
  'count_rate',
  'increase',
  'increase_rate',
  'is_gap',
  'resets',
]);

/** Returns a slice without the fields that AIPerf does not have. */
export function omitAddedFields<T extends object>(slice: T): T {
  return Object.fromEntries(Object.entries(slice).filter(([name]) => !ADDED_FIELDS.has(name))) as T;
}
