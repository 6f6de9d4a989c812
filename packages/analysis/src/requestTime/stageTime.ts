import type { LatencyMetric } from '@org/servers';
import { toPeriodStats } from '../run/increase.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, selectCompleteSlices } from '../run/series.ts';
import { listCountedSeries } from '../servers/metricSeries.ts';
import { selectSeries } from '../servers/serverInstance.ts';
import type { TimeSum } from './timeSum.ts';

/** The time that requests spent in one stage, added up over all series that measure it. */
export interface StageTime extends TimeSum {
  readonly requests: number;
  /** Numbers of requests by the start of each slice. */
  readonly requestsBySlice: ReadonlyMap<bigint, number>;
  readonly p50: StagePercentile | undefined;
  readonly p99: StagePercentile | undefined;
}

/** A percentile in ms, with its guaranteed bounds if the export has them. With several series, the highest. */
export interface StagePercentile {
  readonly valueMs: number;
  /** The upper bound is null if the percentile is above the largest bucket. */
  readonly boundsMs?: readonly [lower: number, upper: number | null];
}

/** A histogram of a stage, and the factor that converts it to ms. */
interface StageSeries {
  readonly series: RunSeries;
  readonly unitMs: number;
}

/**
 * Reads the time that requests spent in a stage. On each endpoint, the first histogram that exists is used. Returns
 * undefined if no endpoint has one with observations, or if the sum of a histogram is unknown.
 */
export function readStageTime(run: Run, metrics: readonly LatencyMetric[]): StageTime | undefined {
  const all = listStageSeries(run, metrics);
  let totalMs = 0;
  let requests = 0;
  for (const { series, unitMs } of all) {
    const { count = 0, sum = Number.NaN } = toPeriodStats(series.stats);
    if (count === 0) continue;
    totalMs += sum * unitMs;
    requests += count;
  }
  if (requests === 0 || !Number.isFinite(totalMs)) return undefined;
  const percentiles = { p50: findHighest(all, 'p50'), p99: findHighest(all, 'p99') };
  return { totalMs, requests, ...addSlices(all), ...percentiles };
}

function listStageSeries(run: Run, metrics: readonly LatencyMetric[]): StageSeries[] {
  const found = new Set<string>();
  return metrics.flatMap(({ name, unitMs, by, per, where }) => {
    // A counter of time has no percentiles, and a gap between tokens is not a stage of a request.
    if (by !== undefined || per !== undefined) return [];
    const all = selectSeries(listCountedSeries(run, name), where).filter(
      ({ endpoint }) => !found.has(endpoint),
    );
    for (const { endpoint } of all) found.add(endpoint);
    return all.map(series => ({ series, unitMs }));
  });
}

function addSlices(all: readonly StageSeries[]): Pick<StageTime, 'slices' | 'requestsBySlice'> {
  const slices = new Map<bigint, number>();
  const requestsBySlice = new Map<bigint, number>();
  for (const { series, unitMs } of all)
    for (const { start_ns, count = 0, sum = 0 } of selectCompleteSlices(series)) {
      slices.set(start_ns, (slices.get(start_ns) ?? 0) + sum * unitMs);
      requestsBySlice.set(start_ns, (requestsBySlice.get(start_ns) ?? 0) + count);
    }
  return { slices, requestsBySlice };
}

function findHighest(all: readonly StageSeries[], percentile: 'p50' | 'p99'): StagePercentile | undefined {
  const values = all.flatMap(({ series: { stats, bounds }, unitMs }) => {
    const value = toPeriodStats(stats)[`${percentile}_estimate`];
    if (value === undefined) return [];
    const range = bounds?.[percentile];
    return {
      valueMs: value * unitMs,
      ...(range && {
        boundsMs: [(range[0] ?? 0) * unitMs, range[1] === null ? null : range[1] * unitMs] as const,
      }),
    };
  });
  return values.reduce<StagePercentile | undefined>(
    (highest, value) => (highest && highest.valueMs >= value.valueMs ? highest : value),
    undefined,
  );
}
