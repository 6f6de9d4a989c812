import type { MetricRole } from '@org/servers';
import { mean } from '../math.ts';
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
  readonly slices: readonly number[];
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
  return { ...level, avg: avg / 100, max: max / 100, slices: slices.map(value => value / 100) };
}

function readGaugeLevel(series: RunSeries, window: LoadWindow): Level[] {
  const avg = readStat(series, 'avg');
  if (avg === undefined) return [];
  const max = readStat(series, 'max') ?? avg;
  const slices = readSlices(series, window);
  const loadedAvg = Math.min(max, avg / window.loadedShare);
  return [{ avg: loadedAvg, max, isAtMax: max > 0 && isAtMax(series, max, window), slices }];
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
  const slices = readSlices(series, window).map(value => value / 1e6);
  const avg = rate / 1e6 / window.loadedShare;
  return [{ avg, max: Math.max(avg, ...slices), isAtMax: false, slices }];
}

function readSlices(series: RunSeries, { contains }: LoadWindow): number[] {
  return selectCompleteSlices(series).filter(contains).map(readSliceValue);
}

/** Adds levels. The maximum of the result is an upper bound, because the maxima may occur at different times. */
export function addLevels(a: Level, b: Level): Level {
  const [longer, shorter] = a.slices.length >= b.slices.length ? [a.slices, b.slices] : [b.slices, a.slices];
  return {
    avg: a.avg + b.avg,
    max: a.max + b.max,
    isAtMax: (a.isAtMax || a.max === 0) && (b.isAtMax || b.max === 0) && a.max + b.max > 0,
    slices: longer.map((value, i) => value + (shorter[i] ?? 0)),
  };
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
  const third = Math.max(1, Math.floor(slices.length / 3));
  const first = mean(slices.slice(0, third));
  const middle = mean(slices.slice(third, -third));
  const last = mean(slices.slice(-third));
  return middle >= first && last >= middle ? { first, last } : undefined;
}
