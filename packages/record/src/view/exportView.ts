import {
  inferUnit,
  isEvidence,
  type Period,
  resolveEndpointPeriod,
  type Series,
  SeriesHistories,
  shouldSlicePerInterval,
} from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import type { StatisticsWindow } from '../exportFormats.ts';
import type { EndpointRecord, RunRecord } from '../runRecord.ts';
import { findIdlePeriods } from './idlePeriods.ts';
import { toSummaryWithStarts } from './startInfo.ts';
import { getStartKnowledge } from './startKnowledge.ts';
import { resolveAiperfPeriod } from './statisticsWindow.ts';
import type { ViewEndpoint } from './viewEndpoint.ts';

/**
 * A run record with the derived data that all export formats share: the period of each endpoint, the metrics with their
 * export names and units, and the summary. Created once for all exports of a run.
 */
export interface ExportView {
  readonly record: RunRecord;
  readonly summary: ServerMetricsDocument['summary'];
  readonly endpoints: readonly ViewEndpoint[];
  /** Sorted by name; includes summaries, which only the legacy layout exports. */
  readonly metrics: readonly ViewMetric[];
}

/** A series and the endpoint that it belongs to. */
export interface ViewSeries {
  readonly endpoint: ViewEndpoint;
  readonly series: Series;
}

/** All series of one name and type, on all endpoints. */
export interface ViewMetric {
  /** The name in the exports, made unique if families of different types share a name. */
  readonly name: string;
  readonly type: Series['family']['type'];
  /** The HELP text; empty if no endpoint has one. */
  readonly description: string;
  readonly unit: string | null;
  /** Sorted by endpoint, then by labels. */
  readonly series: readonly ViewSeries[];
}

export interface ViewOptions {
  /** The window that statistics cover; the period of the record by default. */
  readonly window?: StatisticsWindow;
}

/** Creates the view that all exports of a run are written from. */
export function createExportView(record: RunRecord, { window = 'profiling' }: ViewOptions = {}): ExportView {
  const endpoints = record.endpoints.map(endpoint => {
    const period =
      window === 'aiperf' ? resolveAiperfPeriod(endpoint, record.period) : resolvePeriod(record, endpoint);
    const histories = new SeriesHistories(endpoint.store, period, getStartKnowledge(endpoint));
    return { record: endpoint, period, histories };
  });
  const idlePeriods = findIdlePeriods(record)?.map(({ startNs, endNs }) => ({
    start_ns: startNs,
    end_ns: endNs,
  }));
  const { statistics_window: _, ...summary } = toSummaryWithStarts(record, endpoints);
  return {
    record,
    summary: {
      ...summary,
      ...(window === 'profiling' ? {} : { statistics_window: window }),
      ...(idlePeriods && { idle_periods: idlePeriods }),
    },
    endpoints,
    metrics: collectMetrics(endpoints),
  };
}

/**
 * Resolves the period of an endpoint. Boundary samples apply only to the profiling period, not to a window
 * that the user chose.
 */
function resolvePeriod({ period, runPeriod }: RunRecord, { store, boundaries = {} }: EndpointRecord): Period {
  const timeline = store.timeline();
  const { baseline_ns: baselineNs, closing_ns: closingNs } = runPeriod === undefined ? boundaries : {};
  const toOffset = (ns: bigint): number => Number(ns - timeline.originNs);
  return resolveEndpointPeriod(
    timeline,
    { startNs: toOffset(period.startNs), endNs: toOffset(period.endNs) },
    {
      ...(baselineNs === undefined ? {} : { baselineNs: toOffset(baselineNs) }),
      ...(closingNs === undefined ? {} : { closingNs: toOffset(closingNs) }),
    },
  );
}

/**
 * Groups the series of all endpoints by name and type. If families of different types share a name (a counter
 * `a_total` is exported as `a`, and a gauge `a` may exist too), the gauge keeps the name and the counter keeps `_total`.
 * Other types get their type as a suffix, in alphabetical order.
 */
function collectMetrics(endpoints: readonly ViewEndpoint[]): ViewMetric[] {
  const byIdentity = new Map<string, ViewSeries[]>();
  for (const endpoint of endpoints) {
    for (const series of endpoint.record.store.layout.series) {
      if (isEvidence(series.family)) continue;
      const identity = `${series.family.name}\0${series.family.type}`;
      const group = byIdentity.get(identity);
      if (group) group.push({ endpoint, series });
      else byIdentity.set(identity, [{ endpoint, series }]);
    }
  }
  const takenNames = new Set<string>();
  return [...byIdentity.entries()]
    .sort(([a], [b]) => compareText(toNamingOrder(a), toNamingOrder(b)))
    .map(([, series]) => toMetric(series, takenNames))
    .sort((a, b) => compareText(a.name, b.name));
}

/** Converts an identity to a key that sorts a gauge before other types of its name. */
function toNamingOrder(identity: string): string {
  return identity.endsWith('\0gauge') ? identity.slice(0, -'gauge'.length) : identity;
}

function toMetric(series: ViewSeries[], takenNames: Set<string>): ViewMetric {
  const { name: familyName, type } = series[0]!.series.family;
  let name = familyName;
  if (type === 'counter' && takenNames.has(name)) name += '_total';
  while (takenNames.has(name)) name += `_${type}`;
  takenNames.add(name);
  const families = series.map(({ series: { family } }) => family);
  const description = families.map(({ help }) => help).find(help => help !== '') ?? '';
  const declaredUnit = families.map(family => family.declaredUnit).find(Boolean);
  const unit = inferUnit(familyName, description, { declaredUnit });
  return { name, type, description, unit, series: series.sort(compareSeries) };
}

function compareSeries(a: ViewSeries, b: ViewSeries): number {
  return (
    compareText(a.endpoint.record.url, b.endpoint.record.url) ||
    compareLabels(a.series.labels, b.series.labels)
  );
}

function compareLabels(a: Series['labels'], b: Series['labels']): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareText(a[i]![0], b[i]![0]) || compareText(a[i]![1], b[i]![1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reports whether a metric is an `_info` gauge, whose labels describe the server. */
export function isInfoMetric({ name, type }: ViewMetric): boolean {
  return type === 'gauge' && name.endsWith('_info');
}

/**
 * Returns the metrics of schema 1.0: all except summaries, because a server's quantiles cannot be limited to
 * a period.
 */
export function listExportedMetrics({ metrics }: ExportView): ViewMetric[] {
  return metrics.filter(({ type }) => type !== 'summary');
}

/** Returns the names of summary metrics, which schema 1.0 does not export. */
export function listSummaryMetrics({ metrics }: ExportView): string[] {
  return metrics.filter(({ type }) => type === 'summary').map(({ name }) => name);
}

/**
 * Returns the URLs of endpoints that update less often than once per timeslice, or that would have too many
 * timeslices. For these endpoints, each sample interval is a slice (docs/decisions/0003-slice-duration.md).
 */
export function listEndpointsSlicedByInterval(
  { endpoints }: ExportView,
  sliceSeconds: number | undefined,
): string[] {
  if (sliceSeconds === undefined) return [];
  return endpoints
    .filter(({ record: { store }, period }) => store.frameCount > 0 && !period.isSlicedBySeries)
    .filter(({ record: { store }, period }) => shouldSlicePerInterval(store, period, sliceSeconds * 1e9))
    .map(({ record }) => record.url);
}
