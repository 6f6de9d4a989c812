import {
  type EndpointStore,
  endpointInfo,
  inferUnit,
  type Period,
  polynomialPercentiles,
  type Series,
  type SeriesStatistics,
  seriesStatistics,
} from '@org/core';
import type { Expectation } from './expectation.ts';

/** What we make of one series, with what is needed to compute some of it again. */
export interface Figures {
  readonly key: string;
  readonly unit: string | null;
  readonly statistics: SeriesStatistics;
  readonly series: Series;
  readonly store: EndpointStore;
  readonly period: Period;
}

/** One text for one series of one endpoint. */
export function seriesKey(
  url: string,
  metric: string,
  type: string,
  labels: readonly (readonly [string, string])[],
): string {
  const text = labels.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',');
  return `${url} ${type} ${metric}{${text}}`;
}

/**
 * The period as the existing implementation closes it: at the endpoint's last update, when that is later. (Ours ends
 * at the one final scrape; traces go on after the period, which a real run does not.)
 */
export function closedPeriod(store: EndpointStore, { period }: Expectation): Period {
  const { originNs } = store.timeline();
  const asked = Number(BigInt(period.end_ns) - originNs);
  const lastUpdate = endpointInfo(store)!.last_update_ns - originNs;
  return {
    startNs: Number(BigInt(period.start_ns) - originNs),
    endNs: Math.max(asked, Number(lastUpdate)),
  };
}

/** Our figures of every series of an endpoint that has any in the period; summaries are not compared. */
export function figuresOf(url: string, store: EndpointStore, expectation: Expectation): Figures[] {
  const period = closedPeriod(store, expectation);
  const slice = expectation.slice_duration;
  const options = {
    period,
    estimator: polynomialPercentiles,
    ...(slice === null ? {} : { sliceNs: Math.round(slice * 1e9) }),
  };
  const all: Figures[] = [];
  for (const series of store.layout.series) {
    if (series.kind === 'summary') continue;
    const statistics = seriesStatistics(store, series, options);
    if (statistics === null) continue;
    const { name, help } = series.family;
    const key = seriesKey(url, name, statistics.type, series.labels);
    all.push({ key, unit: inferUnit(name, help), statistics, series, store, period });
  }
  return all;
}
