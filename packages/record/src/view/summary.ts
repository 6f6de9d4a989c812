import { computeEndpointInfo, findSampleGaps, lowerBound, upperBound } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import { formatUtc } from '../isoTime.ts';
import type { EndpointRecord, RunRecord, TimeRange } from '../runRecord.ts';
import { describePhases } from './phases.ts';

type Summary = ServerMetricsDocument['summary'];

/**
 * Returns the `summary` of the JSON export: the times of the run, and its endpoints with the outcome of their
 * scrapes.
 */
export function toSummary(record: RunRecord): Summary {
  const source = record.import ? { import: record.import } : {};
  if (record.summary) return { ...record.summary, ...source, ...toWindow(record), ...describePhases(record) };
  const { endpoints } = record;
  return {
    endpoints_configured: [...new Set(endpoints.map(endpoint => endpoint.configuredUrl))],
    endpoints_successful: endpoints.filter(hasFrames).map(endpoint => endpoint.url),
    start_time: formatUtc(record.startNs),
    end_time: formatUtc(record.endNs),
    ...toWindow(record),
    was_cancelled: record.cancelled,
    ...(record.marks ? { marks: record.marks } : {}),
    ...(record.settling ? { settling: record.settling } : {}),
    ...(record.scraping ? { scraping: record.scraping } : {}),
    ...(record.sources ? { sources: record.sources } : {}),
    ...(record.dataLoss ? { data_loss: record.dataLoss } : {}),
    ...source,
    endpoint_info: Object.fromEntries(
      endpoints.map(endpoint => [endpoint.url, toEndpointInfo(endpoint, record)]),
    ),
    ...describePhases(record),
  };
}

/** Returns the exported period and, if the user chose a window, the profiling period of the run. */
function toWindow({
  period,
  runPeriod,
}: RunRecord): Pick<Summary, 'profiling_start_ns' | 'profiling_end_ns' | 'exported_window'> {
  const window = { profiling_start_ns: period.startNs, profiling_end_ns: period.endNs };
  if (!runPeriod) return window;
  const { startNs, endNs } = runPeriod;
  return { ...window, exported_window: { run_profiling_start_ns: startNs, run_profiling_end_ns: endNs } };
}

function hasFrames({ store }: EndpointRecord): boolean {
  return store.frameCount > 0;
}

function toEndpointInfo(endpoint: EndpointRecord, record: RunRecord): EndpointInfo {
  const { health, configuredUrl, url } = endpoint;
  return {
    ...(computeEndpointInfo(endpoint.store) ?? { total_fetches: 0, unique_updates: 0 }),
    ...(configuredUrl === url ? {} : { configured_url: configuredUrl }),
    ...(endpoint.identity === undefined ? {} : { identity: endpoint.identity }),
    ...(endpoint.labels ? { labels: endpoint.labels } : {}),
    ...(health.added_ns === undefined ? {} : { added_ns: health.added_ns }),
    ...(health.removed_ns === undefined ? {} : { removed_ns: health.removed_ns }),
    ...toOptionalList('absences', health.absences, health.absences_omitted),
    status: health.status,
    last_error: health.last_error,
    ...(health.last_error_reason === undefined ? {} : { last_error_reason: health.last_error_reason }),
    scrapes_failed: health.scrapes_failed,
    ...(health.first_failure_ns === undefined ? {} : { first_failure_ns: health.first_failure_ns }),
    ...(health.last_failure_ns === undefined ? {} : { last_failure_ns: health.last_failure_ns }),
    scrapes_late: health.scrapes_late,
    samples_dropped: health.samples_dropped,
    lines_dropped: health.lines_dropped,
    ...(record.import && health.bytes === 0 ? {} : { bytes_received: health.bytes }),
    outages: health.outages,
    ...(health.outages_omitted > 0 ? { outages_omitted: health.outages_omitted } : {}),
    ...toGaps(endpoint, record.period),
    ...toOptionalList('resets', health.resets, health.resets_omitted),
    ...toOptionalList('address_changes', health.address_changes, health.address_changes_omitted),
    ...(record.runPeriod ? {} : toBoundarySlack(endpoint, record.period)),
    ...health.cost,
  };
}

/**
 * Returns the boundary samples of an endpoint and their distances from the start and the end of the period.
 * Without a boundary sample, the distance of the last sample before the start, or of the first sample after
 * the end, is returned; without such a sample, the distance of the first or last sample. There is no distance from the
 * start for an endpoint that was added later, and none from the end for one that was removed before.
 */
function toBoundarySlack(
  { store, boundaries = {}, health }: EndpointRecord,
  { startNs, endNs }: TimeRange,
): Partial<EndpointInfo> {
  const { originNs, offsetsNs } = store.timeline();
  const getTimeNs = (frame: number): bigint => originNs + BigInt(offsetsNs[frame]!);
  if (offsetsNs.length === 0) return boundaries;
  const firstInside = lowerBound(offsetsNs, Number(startNs - originNs));
  const firstAfter = upperBound(offsetsNs, Number(endNs - originNs));
  const baselineNs = boundaries.baseline_ns ?? getTimeNs(Math.max(0, firstInside - 1));
  const closingNs = boundaries.closing_ns ?? getTimeNs(Math.min(firstAfter, offsetsNs.length - 1));
  return {
    ...boundaries,
    ...(isAfter(health.added_ns, startNs) ? {} : { start_slack_ms: computeDistanceMs(baselineNs, startNs) }),
    ...(isBefore(health.removed_ns, endNs) ? {} : { end_slack_ms: computeDistanceMs(closingNs, endNs) }),
  };
}

function isAfter(ns: bigint | undefined, other: bigint): boolean {
  return ns !== undefined && ns > other;
}

function isBefore(ns: bigint | undefined, other: bigint): boolean {
  return ns !== undefined && ns < other;
}

function computeDistanceMs(a: bigint, b: bigint): number {
  return Math.abs(Number(a - b)) / 1e6;
}

/** The maximum number of gaps in the export. */
const MAX_GAPS = 100;

function toGaps({ store }: EndpointRecord, { startNs, endNs }: TimeRange): Record<string, unknown> {
  const { originNs } = store.timeline();
  const period = { startNs: Number(startNs - originNs), endNs: Number(endNs - originNs) };
  const gaps = findSampleGaps(store, period).map(gap => ({
    start_ns: originNs + BigInt(gap.startNs),
    end_ns: originNs + BigInt(gap.endNs),
  }));
  return toOptionalList('gaps', gaps.slice(0, MAX_GAPS), gaps.length - MAX_GAPS);
}

function toOptionalList<T>(name: string, list: readonly T[] = [], omitted = 0): Record<string, unknown> {
  if (list.length === 0) return {};
  return { [name]: list, ...(omitted > 0 ? { [`${name}_omitted`]: omitted } : {}) };
}
