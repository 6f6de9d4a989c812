import type { Trend } from '../keyMetrics/trend.ts';
import { min } from '../math.ts';
import type { StageName } from './part.ts';
import type { RequestTime } from './requestTime.ts';

/** Maximum number of values of a trend. Timeslices of very different lengths have no common axis. */
const MAX_BINS = 100_000;

/**
 * Returns the mean time in each stage over time, in ms, with one time axis for all stages. Values are null where no
 * requests ended; stages without timeslices are absent.
 */
export function readStageTrends({ stages }: Pick<RequestTime, 'stages'>): ReadonlyMap<StageName, Trend> {
  const starts = [...new Set(stages.flatMap(({ slices }) => slices.map(({ startNs }) => startNs)))].sort(
    compare,
  );
  const [firstNs] = starts;
  const widthNs = min(starts.slice(1).map((startNs, i) => Number(startNs - starts[i]!)));
  if (firstNs === undefined || starts.length < 2) return new Map();
  const findBin = (startNs: bigint): number => Math.round(Number(startNs - firstNs) / widthNs);
  const bins = findBin(starts.at(-1)!) + 1;
  if (bins > MAX_BINS) return new Map();
  return new Map(
    stages.flatMap(({ stage, slices }) => {
      if (slices.length === 0) return [];
      const trend = new Array<number | null>(bins).fill(null);
      for (const { startNs, meanMs } of slices) trend[findBin(startNs)] = meanMs;
      return [[stage, trend] as const];
    }),
  );
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
