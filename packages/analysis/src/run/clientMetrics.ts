import { listTimesliceMetrics, type readProfileMetrics, type readProfileTimeslices } from '@org/formats/read';
import type { RunFamily, RunSlice, Stats } from './series.ts';

/** Metric blocks of a profile export by their tag. */
export type ClientMetrics = Awaited<ReturnType<typeof readProfileMetrics>>;

/** What the load generator measured, window by window. */
export type ClientTimeslices = Awaited<ReturnType<typeof readProfileTimeslices>>;

/** Where client metrics come from, in the place of an endpoint. */
export const CLIENT_ENDPOINT = 'client';

/** What a profile export has (seed 004) as families of one series each, without labels. */
export function toClientFamilies(metrics: ClientMetrics, timeslices?: ClientTimeslices): RunFamily[] {
  const slices = slicesByTag(timeslices);
  return [...metrics].map(([name, { unit, ...stats }]) => {
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

/** Windows without times (older AIPerf's CSV) are left out: nothing tells how long they were. */
function slicesByTag(timeslices: ClientTimeslices | undefined): Map<string, RunSlice[]> {
  const found = new Map<string, RunSlice[]>();
  for (const slice of timeslices?.timeslices ?? []) {
    const { start_ns, end_ns, is_complete } = slice;
    if (start_ns === undefined || end_ns === undefined) continue;
    for (const [tag, { avg, min, max, count }] of listTimesliceMetrics(slice)) {
      const figures = {
        ...(avg !== undefined && { avg }),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(count !== undefined && { count }),
      };
      const whole = is_complete === undefined ? {} : { is_complete };
      const list = found.get(tag) ?? [];
      found.set(tag, list);
      list.push({ start_ns, end_ns, ...whole, ...figures });
    }
  }
  return found;
}
