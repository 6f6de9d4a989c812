import { selectAiperfTags } from '@org/formats/write';
import type { Compatibility } from '@org/record';
import type { RunStatistics } from '@org/record/aggregate';
import type { RunSuccess } from './runOutcome.ts';

/** The order of the statistics of a metric in AIPerf's aggregates. */
const AIPERF_STATS: readonly string[] = [
  ...['avg', 'min', 'max', 'sum', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'std'],
];

/** Lists the statistics of runs that aggregates include. AIPerf does not export all metrics. */
export function listStatistics(
  successes: readonly RunSuccess[],
  compatibility: Compatibility | undefined,
): RunStatistics[] {
  return successes.map(({ statistics }) =>
    compatibility === 'aiperf-0.13' ? toAiperfStatistics(statistics) : statistics,
  );
}

function toAiperfStatistics({ client, servers }: RunStatistics): RunStatistics {
  const tags = new Set([...client.values()].map(({ tag }) => tag));
  const places = new Map(selectAiperfTags([...tags]).map((tag, place) => [tag, place]));
  const entries = [...client].filter(([, { tag }]) => places.has(tag));
  const getPlace = (stat: string): number => AIPERF_STATS.indexOf(stat);
  entries.sort(
    ([, a], [, b]) => places.get(a.tag)! - places.get(b.tag)! || getPlace(a.stat) - getPlace(b.stat),
  );
  return { client: new Map(entries), servers };
}
