import { listTimesliceMetrics, type readProfileMetrics, type readProfileTimeslices } from '@org/formats/read';
import { computeOnce } from '../computeOnce.ts';
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
    if (slice.start_ns === undefined || slice.is_complete === false) continue;
    const requests = findEndedRequests(slice);
    if (requests) ended.set(BigInt(slice.start_ns), requests);
  }
  return ended;
}

type ClientTimeslice = ClientTimeslices['timeslices'][number];

/** Returns the requests that ended in a timeslice; undefined if it does not count them. */
const findEndedRequests = computeOnce((slice: ClientTimeslice): EndedRequests | undefined => {
  const metrics = listTimesliceMetrics(slice);
  const count = metrics.get('ended_request_count')?.avg;
  const avg = metrics.get('ended_request_latency')?.avg;
  return count === undefined || avg === undefined ? undefined : { count, avg };
});

/** Groups timeslices by metric. */
function groupSlices(timeslices: ClientTimeslices | undefined): Map<string, RunSlice[]> {
  const byMetric = new Map<string, RunSlice[]>();
  for (const slice of timeslices?.timeslices ?? []) {
    for (const [tag, values] of listSliceValues(slice)) {
      const list = byMetric.get(tag);
      if (list) list.push(values);
      else byMetric.set(tag, [values]);
    }
  }
  return byMetric;
}

/**
 * Returns the values of each metric in a timeslice; none without times (from older AIPerf versions) or a length, because
 * its rates are unknown.
 */
const listSliceValues = computeOnce(
  (slice: ClientTimeslice): readonly (readonly [tag: string, RunSlice])[] => {
    const { start_ns, end_ns, is_complete } = slice;
    if (start_ns === undefined || end_ns === undefined || end_ns <= start_ns) return [];
    return [...listTimesliceMetrics(slice)].map(([tag, { avg, min, max, count }]) => [
      tag,
      {
        start_ns,
        end_ns,
        ...(is_complete !== undefined && { is_complete }),
        ...(avg !== undefined && { avg }),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(count !== undefined && { count }),
      },
    ]);
  },
);
