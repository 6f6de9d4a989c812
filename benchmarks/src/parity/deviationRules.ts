import type { HistogramSamples, ScalarSamples } from '@org/core';
import type { Differences } from './differences.ts';
import type { Deviation, ExpectedStats } from './expectation.ts';
import { type Figures, omitAddedFields } from './figures.ts';

/**
 * Checks the number of resets and the increase of a series with a counter reset, which the snapshot does not
 * contain (docs/decisions/0010-resets-and-increase.md). For a histogram, also checks that there are no buckets
 * and no estimates, and that count, sum and their rates equal the snapshot, with negative values replaced by 0.
 */
export function compareReset(
  { statistics }: Figures,
  reset: Deviation,
  snapshot: ExpectedStats,
  differences: Differences,
): void {
  const stats = statistics.stats as { resets?: number; increase?: unknown };
  differences.compareEqual('stats.resets', stats.resets, reset.resets);
  if (typeof reset.increase === 'number') {
    differences.compareNear('stats.increase', stats.increase, reset.increase);
    return;
  }
  if (statistics.type !== 'histogram') return;
  const { increase } = statistics.stats;
  differences.compareEqual('buckets', statistics.buckets, null);
  for (const key of ['count', 'sum', 'count_rate', 'sum_rate'] as const) {
    differences.compareNear(`stats.${key}`, statistics.stats[key], Math.max(Number(snapshot[key] ?? 0), 0));
  }
  for (const key of Object.keys(stats)) {
    if (key.endsWith('_estimate')) differences.add(`stats.${key} exists despite a reset`);
  }
  const expected = reset.increase!;
  differences.compareEqual('stats.increase.count', increase?.count, expected.count);
  differences.compareNear('stats.increase.sum', increase?.sum, expected.sum, 1e-9);
  if (expected.count > 0) {
    differences.compareNear('stats.increase.avg', increase?.avg, expected.sum / expected.count, 1e-9);
  }
  differences.compareBuckets('stats.increase.buckets', increase?.buckets ?? null, expected.buckets);
}

/**
 * Checks the slices of a series that has one slice per sample interval (docs/decisions/0003-slice-duration.md),
 * and `rate_*`, which is computed over these slices. The expected values are computed from the samples. The
 * first slice starts with the period.
 */
export function compareIntervals(figures: Figures, differences: Differences): void {
  const { statistics } = figures;
  if (statistics.type === 'summary') return;
  const expected = computeExpectedSlices(figures);
  const slices = statistics.timeslices ?? [];
  differences.compareEqual('timeslices', slices.length, expected.length);
  if (slices.length !== expected.length) return;
  expected.forEach((slice, index) => {
    const sliceDifferences = differences.at(`timeslices[${index}]`);
    const { buckets, ...actual } = omitAddedFields(slices[index] as (typeof slices)[number]) as {
      buckets?: Pairs | null;
    };
    const { buckets: expectedBuckets, ...expectedFigures } = slice;
    sliceDifferences.compareRecord('slice', actual, expectedFigures);
    if (expectedBuckets) sliceDifferences.compareBuckets('buckets', buckets ?? null, expectedBuckets);
  });
  if (statistics.type === 'counter' && expected.length > 0) {
    compareRates(
      statistics.stats,
      expected.map(({ rate }) => rate!),
      differences,
    );
  }
}

interface Slice {
  readonly startNs: number;
  readonly endNs: number;
  readonly buckets?: Pairs;
  readonly [figure: string]: number | Pairs | undefined;
  readonly count?: number;
  readonly sum?: number;
  readonly rate?: number;
}

function computeExpectedSlices(figures: Figures): Slice[] {
  const { statistics, series, store, period } = figures;
  if (series.kind === 'summary' || hasNoSlices(statistics)) return [];
  const samples = series.kind === 'scalar' ? store.scalarSamples(series) : store.histogramSamples(series);
  const ends = [...new Set(samples.timesNs)].filter(time => time > period.startNs && time <= period.endNs);
  const slices = ends.map((endNs, index): Slice => {
    const startNs = ends[index - 1] ?? period.startNs;
    const slice = {
      startNs,
      endNs,
      ...computeExpectedFigures(figures, samples, startNs, endNs, index === 0),
    };
    return 'bounds' in samples
      ? { ...slice, buckets: computeExpectedBuckets(samples, startNs, endNs) }
      : slice;
  });
  return slices.filter(
    ({ count = 0, sum = 0 }) => statistics.type !== 'histogram' || (count >= 0 && sum >= 0),
  );
}

/**
 * Reports whether a series has no slices: a histogram without observations, a gauge with a single sample, or a
 * counter with a single sample and no reference sample.
 */
function hasNoSlices({ type, stats, window }: Figures['statistics']): boolean {
  if (type === 'histogram') return stats.count === 0 && stats.resets === undefined;
  return window.samples === 1 && (type !== 'counter' || window.referenceNs === null);
}

function computeExpectedFigures(
  { statistics }: Figures,
  samples: ScalarSamples | HistogramSamples,
  startNs: number,
  endNs: number,
  isFirst: boolean,
): Record<string, number> {
  const findRowAt = (time: number): number => findRow(samples, time);
  if ('counts' in samples) {
    const count = samples.counts[findRowAt(endNs)]! - samples.counts[findRowAt(startNs)]!;
    const sum = samples.sums[findRowAt(endNs)]! - samples.sums[findRowAt(startNs)]!;
    return { count, sum, avg: count === 0 ? 0 : sum / count };
  }
  if (statistics.type === 'counter') {
    const total = Math.max(0, samples.values[findRowAt(endNs)]! - samples.values[findRowAt(startNs)]!);
    return { total, rate: total / ((endNs - startNs) / 1e9) };
  }
  const inside = [...samples.timesNs].flatMap((time, row) =>
    (isFirst ? time >= startNs : time > startNs) && time <= endNs ? [samples.values[row]!] : [],
  );
  const avg = inside.reduce((sum, value) => sum + value, 0) / inside.length;
  return { avg, min: Math.min(...inside), max: Math.max(...inside) };
}

type Pairs = readonly (readonly [string, number])[];

function computeExpectedBuckets(samples: HistogramSamples, startNs: number, endNs: number): Pairs {
  const from = findRow(samples, startNs);
  const to = findRow(samples, endNs);
  return samples.bounds.map(({ text }, index) => {
    const column = samples.cumulative[index]!;
    return [text, column[to]! - column[from]!];
  });
}

/** Returns the index of the last row at or before a time, or 0 if all rows are later. */
function findRow({ timesNs }: ScalarSamples | HistogramSamples, time: number): number {
  const row = timesNs.findLastIndex(sample => sample <= time);
  return Math.max(0, row);
}

function compareRates(stats: object, rates: readonly number[], differences: Differences): void {
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const squares = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0);
  const expected = {
    rate_avg: mean,
    rate_min: Math.min(...rates),
    rate_max: Math.max(...rates),
    rate_std: rates.length > 1 ? Math.sqrt(squares / (rates.length - 1)) : 0,
  };
  differences.compareRecord('stats', stats, expected, key => !key.startsWith('rate_'));
}
