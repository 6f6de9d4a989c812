import type { MetricRole } from '@org/servers';
import { max, mean } from '../math.ts';
import { toPeriodStats } from '../run/increase.ts';
import { type RunSeries, readSliceValue, readStat, selectCompleteSlices } from '../run/series.ts';
import type { LoadWindow } from './loadWindow.ts';
import type { ServerInstance } from './serverInstance.ts';

/** Statistics of a gauge while the servers were loaded: a number of requests, or cache usage as a fraction. */
export interface Level {
  readonly avg: number;
  readonly max: number;
  /** True if the value was at its maximum for at least half of the time. */
  readonly isAtMax: boolean;
  /** The mean of each complete slice; empty if the run was exported without slices. */
  readonly slices: readonly LevelSlice[];
}

/** The mean of a level in one slice. */
export interface LevelSlice {
  readonly startNs: bigint;
  readonly value: number;
}

/**
 * Combines all series of a role, such as one per engine: adds numbers of requests, and takes the highest cache
 * usage. Returns undefined if the server does not have the metric.
 *
 * Cache usage is returned as a fraction; reported values above 1.5 are treated as percentages.
 */
export function computeLevel(
  instance: Pick<ServerInstance, 'roles' | 'series'>,
  role: MetricRole,
  window: LoadWindow,
): Level | undefined {
  const operation = instance.roles[role]?.operation;
  const read = operation === 'busy' ? readBusyLevel : readGaugeLevel;
  const levels = instance.series(role).flatMap(series => read(series, window));
  if (levels.length === 0) return undefined;
  return operation === 'max' ? toFraction(findFullest(levels), role) : levels.reduce(addLevels);
}

function findFullest(levels: readonly Level[]): Level {
  return levels.reduce((a, b) => (b.max > a.max ? b : a));
}

function toFraction(level: Level, role: MetricRole): Level {
  if (role !== 'kvCacheUsage' || level.max <= 1.5) return level;
  const { avg, max, slices } = level;
  return { ...level, avg: avg / 100, max: max / 100, slices: scaleSlices(slices, 0.01) };
}

function readGaugeLevel(series: RunSeries, window: LoadWindow): Level[] {
  // A histogram has a mean, too, but of other values.
  const avg = series.type === 'histogram' ? undefined : readStat(series, 'avg');
  if (avg === undefined) return [];
  const maximum = readStat(series, 'max') ?? avg;
  const slices = readSlices(series, window);
  const loadedAvg = Math.min(maximum, avg / window.loadedShare);
  const isFull = maximum > 0 && isAtMax(series, maximum, window);
  return [{ avg: loadedAvg, max: maximum, isAtMax: isFull, slices }];
}

/** The percentiles of gauges, as in exports. */
const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99];

/** Reports whether a gauge had its maximum for at least half of the loaded time, based on its percentiles. */
function isAtMax(series: RunSeries, max: number, { loadedShare }: LoadWindow): boolean {
  const percent = PERCENTS.find(value => value >= 100 - 50 * loadedShare);
  const value = percent === undefined ? undefined : readStat(series, `p${percent}`);
  return value !== undefined && value >= max;
}

/** Reads a counter of time in microseconds. Its rate divided by 1e6 is the mean number of requests (Little's law). */
function readBusyLevel(series: RunSeries, window: LoadWindow): Level[] {
  const { rate } = toPeriodStats(series.stats);
  if (rate === undefined) return [];
  const slices = scaleSlices(readSlices(series, window), 1e-6);
  const avg = rate / 1e6 / window.loadedShare;
  return [{ avg, max: Math.max(avg, max(slices.map(({ value }) => value))), isAtMax: false, slices }];
}

function readSlices(series: RunSeries, { contains }: LoadWindow): LevelSlice[] {
  const slices = selectCompleteSlices(series).filter(contains);
  return slices.map(slice => ({ startNs: slice.start_ns, value: readSliceValue(slice) }));
}

function scaleSlices(slices: readonly LevelSlice[], factor: number): LevelSlice[] {
  return slices.map(({ startNs, value }) => ({ startNs, value: value * factor }));
}

/** Adds levels. The maximum of the result is an upper bound, because the maxima may occur at different times. */
export function addLevels(a: Level, b: Level): Level {
  return {
    avg: a.avg + b.avg,
    max: a.max + b.max,
    isAtMax: (a.isAtMax || a.max === 0) && (b.isAtMax || b.max === 0) && a.max + b.max > 0,
    slices: addSlices(a.slices, b.slices),
  };
}

/** Adds slices by time. While a worker has no slices, because it joined later or died, it has no requests. */
function addSlices(a: readonly LevelSlice[], b: readonly LevelSlice[]): LevelSlice[] {
  const sums = new Map(a.map(({ startNs, value }) => [startNs, value]));
  for (const { startNs, value } of b) sums.set(startNs, (sums.get(startNs) ?? 0) + value);
  return [...sums].sort(([x], [y]) => (x < y ? -1 : 1)).map(([startNs, value]) => ({ startNs, value }));
}

/** The growth of a level over the run, as the means of its first and last third. */
export interface Growth {
  readonly first: number;
  readonly last: number;
}

/**
 * Measures steady growth. Returns undefined if there are fewer than `minSlices` slices, or if the level only had a
 * spike that has ended or has just begun.
 */
export function measureGrowth({ slices }: Level, minSlices: number): Growth | undefined {
  if (slices.length < minSlices) return undefined;
  const values = slices.map(({ value }) => value);
  const third = Math.max(1, Math.floor(values.length / 3));
  const first = mean(values.slice(0, third));
  const middle = mean(values.slice(third, -third));
  const last = mean(values.slice(-third));
  return middle >= first && last >= middle ? { first, last } : undefined;
}
