import { listTimesliceMetrics, type readProfileMetrics, type readProfileTimeslices } from '@org/formats/read';
import type { RunFamily, RunSlice, Stats } from './series.ts';

/** The metrics of a profile export, by tag. */
export type ClientMetrics = Awaited<ReturnType<typeof readProfileMetrics>>;

/** Metrics of the load generator by timeslice. */
export type ClientTimeslices = Awaited<ReturnType<typeof readProfileTimeslices>>;

/** The endpoint name of series that the load generator measured. */
export const CLIENT_ENDPOINT = 'client';

/** Points in time, in nanoseconds. They measure nothing, and a double cannot represent them. */
const TIMESTAMPS: ReadonlySet<string> = new Set(['min_request_timestamp', 'max_response_timestamp']);

/** Converts the metrics of a profile export to families of one series each, without labels and without timestamps. */
export function toClientFamilies(metrics: ClientMetrics, timeslices?: ClientTimeslices): RunFamily[] {
  const slices = groupSlices(timeslices);
  const measured = [...metrics].filter(([name]) => !TIMESTAMPS.has(name));
  return measured.map(([name, { unit, ...stats }]) => {
    const series = {
      name,
      type: 'client' as const,
      unit,
      endpointUrl: CLIENT_ENDPOINT,
      endpoint: CLIENT_ENDPOINT,
      labels: {},
      stats: stats as Stats,
      slices: slices.get(name) ?? [],
    };
    return { name, type: 'client', unit, description: '', series: [series] };
  });
}

/** The requests of the client that ended in a timeslice. */
export interface EndedRequests {
  readonly count: number;
  /** Mean latency in ms. */
  readonly avg: number;
}

/** Reads the requests that ended in each complete timeslice, by its start. Exports of other programs do not have them. */
export function readEndedRequests(timeslices: ClientTimeslices | undefined): Map<bigint, EndedRequests> {
  const ended = new Map<bigint, EndedRequests>();
  for (const slice of timeslices?.timeslices ?? []) {
    const metrics = listTimesliceMetrics(slice);
    const count = metrics.get('ended_request_count')?.avg;
    const avg = metrics.get('ended_request_latency')?.avg;
    if (slice.start_ns === undefined || slice.is_complete === false) continue;
    if (count !== undefined && avg !== undefined) ended.set(BigInt(slice.start_ns), { count, avg });
  }
  return ended;
}

/**
 * Groups timeslices by metric. Slices without times (from older AIPerf versions) or without a length are left out,
 * because their rates are unknown.
 */
function groupSlices(timeslices: ClientTimeslices | undefined): Map<string, RunSlice[]> {
  const byMetric = new Map<string, RunSlice[]>();
  for (const slice of timeslices?.timeslices ?? []) {
    const { start_ns, end_ns, is_complete } = slice;
    if (start_ns === undefined || end_ns === undefined || end_ns <= start_ns) continue;
    for (const [tag, { avg, min, max, count }] of listTimesliceMetrics(slice)) {
      const stats = {
        ...(avg !== undefined && { avg }),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(count !== undefined && { count }),
      };
      const list = byMetric.get(tag) ?? [];
      byMetric.set(tag, list);
      list.push({ start_ns, end_ns, ...(is_complete !== undefined && { is_complete }), ...stats });
    }
  }
  return byMetric;
}
