import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { HistogramWindow, PercentileEstimator } from '../../../src/percentile/estimator.ts';
import { estimateLinearPercentiles } from '../../../src/percentile/linear.ts';
import { estimateMomentsPercentiles } from '../../../src/percentile/moments/moments.ts';
import { PERCENTS } from '../../../src/percentile/percents.ts';
import { estimatePolynomialPercentiles } from '../../../src/percentile/polynomial/polynomial.ts';
import { runs } from '../support/accuracyRuns.ts';
import { computeTruePercentile, createScrapedWindow } from '../support/scrapes.ts';
import { FAMILIES, type SimulatedRun, simulate } from '../support/simulation.ts';
import { createWindow } from '../support/windows.ts';

const LES = ['0.1', '0.25', '0.5', '1', '2.5', '5', '10', '+Inf'];

/** Returns |estimate - truth| / max(truth, floor) by percentile; 1 without an estimate. */
function computeErrors(
  estimator: PercentileEstimator,
  window: HistogramWindow,
  truth: number[],
  floor: number,
): number[] {
  const estimates = estimator(window);
  return PERCENTS.map((percent, at) => {
    if (estimates === null) return 1;
    return Math.abs(estimates[`p${percent}`] - truth[at]!) / Math.max(truth[at]!, floor);
  });
}

function computeQuantile(values: number[], q: number): number {
  return values.sort((a, b) => a - b)[Math.floor(q * (values.length - 1))]!;
}

describe.skipIf(runs === null)('estimateMomentsPercentiles on the shared test data', () => {
  test('has a median error below 0.6% and a 90th percentile below 8%', () => {
    const errors = (runs ?? []).flatMap(run => {
      const positive = run.les.map(Number).filter(le => le > 0);
      const truth = PERCENTS.map(percent => run.truth[`p${percent}`]);
      return computeErrors(
        estimateMomentsPercentiles,
        createWindow(run, run.reference_index),
        truth,
        0.1 * Math.min(...positive),
      );
    });
    expect(computeQuantile(errors, 0.5)).toBeLessThan(0.006);
    expect(computeQuantile(errors, 0.9)).toBeLessThan(0.08);
  });
});

describe('estimateMomentsPercentiles on simulated runs', () => {
  const computeFamilyErrors = (estimator: PercentileEstimator, perScrape: number): number[] =>
    Object.values(FAMILIES).flatMap((family, at) => {
      const { window, values }: SimulatedRun = simulate(family, LES, 120, perScrape, 100 + at);
      return computeErrors(
        estimator,
        window,
        PERCENTS.map(percent => computeTruePercentile(values, percent)),
        0.01,
      );
    });

  it.each([0.2, 1, 4, 20, 100])(
    'has a lower median error than the other methods at %d observations per scrape',
    perScrape => {
      const momentsError = computeQuantile(computeFamilyErrors(estimateMomentsPercentiles, perScrape), 0.5);
      expect(momentsError).toBeLessThan(
        computeQuantile(computeFamilyErrors(estimatePolynomialPercentiles, perScrape), 0.5),
      );
      expect(momentsError).toBeLessThan(
        computeQuantile(computeFamilyErrors(estimateLinearPercentiles, perScrape), 0.5),
      );
      expect(momentsError).toBeLessThan(0.04);
    },
  );
});

describe('estimateMomentsPercentiles', () => {
  it.each<[string, readonly string[], number[][]]>([
    ['one observation per interval', LES, [[0.3], [0.07], [4], [0.3], [17], [0.9]]],
    ['a constant on a bound', LES, [[0.5, 0.5, 0.5], [0.5], [0.5, 0.5]]],
    [
      'only zeros',
      LES,
      [
        [0, 0, 0],
        [0, 0],
        [0, 0, 0, 0],
      ],
    ],
    ['a bucket with only zeros', ['0', '1', '+Inf'], [[0, 0], [0.5], [0], [0, 0, 0.25]]],
  ])('is exact for %s', (_, les, intervals) => {
    const estimates = estimateMomentsPercentiles(createScrapedWindow(les, intervals));
    for (const percent of PERCENTS) {
      expect(estimates?.[`p${percent}`]).toBeCloseTo(computeTruePercentile(intervals.flat(), percent), 9);
    }
  });

  it('is close to a constant within a bucket', () => {
    const intervals = Array.from({ length: 60 }, (_, at) => new Array<number>(2 + (at % 5)).fill(0.7));
    const estimates = estimateMomentsPercentiles(createScrapedWindow(LES, intervals));
    expect(estimates?.p1).toBeCloseTo(0.7, 3);
    expect(estimates?.p99).toBeCloseTo(0.7, 3);
  });

  it('returns integers for integer observations', () => {
    const { window, values } = simulate(
      random => Math.floor(40 * random()),
      ['1', '10', '20', '50', '+Inf'],
      40,
      3,
      7,
    );
    const estimates = estimateMomentsPercentiles(window);
    // Quartiles interpolate between integer observations in steps of a quarter.
    const quartiles = [estimates!.p25, estimates!.p50, estimates!.p75].map(value => (value * 4) % 1);
    expect(values.length).toBeGreaterThan(50);
    expect(quartiles.every(fraction => Math.abs(fraction) < 1e-9)).toBe(true);
  });

  it('handles a reset', () => {
    const { window } = simulate(FAMILIES.weibull!, LES, 60, 5, 3);
    const restartColumn = (column: Float64Array): Float64Array =>
      column.map((value, row) => (row < 31 ? value + 1000 : value - column[30]!));
    const restarted = {
      ...window,
      counts: restartColumn(window.counts),
      sums: restartColumn(window.sums),
      cumulative: window.cumulative.map(restartColumn),
    };
    const expected = estimateMomentsPercentiles(window);
    for (const percent of PERCENTS) {
      expect(estimateMomentsPercentiles(restarted)?.[`p${percent}`]).toBeCloseTo(expected![`p${percent}`], 6);
    }
  });

  it.each([1, 3, 30])(
    'is accurate with occasionally delayed sums, at %d observations per scrape',
    perScrape => {
      const { window, values } = simulate(FAMILIES.weibull!, LES, 200, perScrape, 11);
      const sums = window.sums.map((sum, row) => (row % 9 === 4 ? window.sums[row - 1]! : sum));
      const truth = PERCENTS.map(percent => computeTruePercentile(values, percent));
      const errors = computeErrors(estimateMomentsPercentiles, { ...window, sums }, truth, 0.01);
      expect(computeQuantile(errors, 0.5)).toBeLessThan(0.1);
    },
  );

  it.each<[string, HistogramWindow]>([
    ['no row', createEqualRows(0)],
    ['one row', createEqualRows(1)],
    ['no observations', createEqualRows(5)],
  ])('returns null for %s', (_, window) => {
    expect(estimateMomentsPercentiles(window)).toBeNull();
  });

  it('returns finite, ascending numbers for arbitrary scrapes', () => {
    const row = fc.record({
      counts: fc.array(fc.oneof(fc.nat(3), fc.nat(500), fc.constant(2 ** 40)), {
        minLength: 4,
        maxLength: 4,
      }),
      sum: fc.oneof(fc.double({ min: -1e3, max: 1e6, noNaN: true }), fc.constantFrom(0, 1e-300, 1e15)),
      restart: fc.integer({ min: 0, max: 9 }).map(chance => chance === 0),
    });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 30 }),
        fc.constantFrom(...layouts),
        (rows, les) => {
          const estimates = estimateMomentsPercentiles(createArbitraryWindow(les, rows));
          const values = estimates === null ? [] : Object.values(estimates);
          expect(values.every(Number.isFinite)).toBe(true);
          expect(values.every((value, at) => at === 0 || value >= values[at - 1]!)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const layouts = [
  ['1', '2', '4', '+Inf'],
  ['0', '1', '100', '+Inf'],
  ['-1', '0', '1', '+Inf'],
  ['0.001', '1000', '1e6', '1e9'],
];

/** Creates a window of `count` equal rows. */
function createEqualRows(count: number): HistogramWindow {
  const rows = Array.from({ length: count }, () => [1, 2, 3]);
  return createWindow({
    les: ['1', '2', '+Inf'],
    sums: rows.map(() => 4),
    counts: rows.map(() => 3),
    bucket_counts: rows,
  });
}

/** Creates a window with arbitrary bucket increments and arbitrary sums. */
function createArbitraryWindow(
  les: string[],
  rows: { counts: number[]; sum: number; restart: boolean }[],
): HistogramWindow {
  const bucket_counts = [les.map(() => 0)];
  const sums = [0];
  for (const { counts, sum, restart } of rows) {
    let below = 0;
    const before = restart ? les.map(() => 0) : bucket_counts.at(-1)!;
    bucket_counts.push(
      before.map((count, bucket) => {
        below += counts[bucket]!;
        return count + below;
      }),
    );
    sums.push(restart ? sum : sums.at(-1)! + sum);
  }
  return createWindow({ les, sums, counts: bucket_counts.map(row => row.at(-1)!), bucket_counts });
}
