import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { PercentileEstimates } from '../../../src/percentile/estimator.ts';
import { learnBucketMoments } from '../../../src/percentile/polynomial/bucketMoments.ts';
import {
  estimateFromMoments,
  estimatePolynomialPercentiles,
} from '../../../src/percentile/polynomial/polynomial.ts';
import { runs } from '../support/accuracyRuns.ts';
import { type ParityCase, parityCases } from '../support/parityCases.ts';
import { readSharedDocument } from '../support/sharedData.ts';
import { createWindow, type Scrapes } from '../support/windows.ts';

function estimateCase(parityCase: ParityCase): PercentileEstimates | null {
  const window = createWindow(parityCase, parityCase.start_idx);
  const increase = {
    count: parityCase.total_count,
    sum: parityCase.total_sum ?? Number.NaN,
    cumulative: Float64Array.from(parityCase.les, le => parityCase.bucket_deltas[le]!),
  };
  const bounds = window.bounds.map(bound => bound.le);
  return estimateFromMoments(bounds, increase, learnBucketMoments(window));
}

describe.skipIf(parityCases === null)('AIPerf parity', () => {
  test.each(parityCases ?? [])('$id $note', parityCase => {
    const estimates = estimateCase(parityCase);
    if (parityCase.expected === null) {
      expect(estimates).toBeNull();
      return;
    }
    for (const [name, expected] of Object.entries(parityCase.expected)) {
      const value = estimates?.[name as keyof PercentileEstimates] ?? Number.NaN;
      const error = Math.abs(value - expected);
      expect(error, `${name} is ${value}, not ${expected}`).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
    }
  });
});

const les = ['0.1', '1', '10', '+Inf'];

describe('estimatePolynomialPercentiles', () => {
  it.each<[string, Scrapes]>([
    ['one row', { les, sums: [1], counts: [1], bucket_counts: [[1, 1, 1, 1]] }],
    ['no row', { les, sums: [], counts: [], bucket_counts: [] }],
    [
      'no observations',
      {
        les,
        sums: [3, 3],
        counts: [2, 2],
        bucket_counts: [
          [0, 1, 2, 2],
          [0, 1, 2, 2],
        ],
      },
    ],
    [
      'a falling sum',
      {
        les,
        sums: [3, -1],
        counts: [2, 4],
        bucket_counts: [
          [0, 1, 2, 2],
          [0, 2, 4, 4],
        ],
      },
    ],
    ['no finite bucket', { les: ['+Inf'], sums: [0, 1], counts: [0, 4], bucket_counts: [[0], [4]] }],
  ])('returns null for %s', (_, scrapes) => {
    expect(estimatePolynomialPercentiles(createWindow(scrapes))).toBeNull();
  });

  it('handles a reset', () => {
    const uninterrupted = {
      les,
      sums: [0, 2, 6],
      counts: [0, 4, 8],
      bucket_counts: [
        [0, 0, 0, 0],
        [0, 4, 4, 4],
        [0, 7, 8, 8],
      ],
    };
    const restarted = {
      ...uninterrupted,
      sums: [10, 12, 4],
      counts: [20, 24, 4],
      bucket_counts: [
        [0, 20, 20, 20],
        [0, 24, 24, 24],
        [0, 3, 4, 4],
      ],
    };
    const expected = estimatePolynomialPercentiles(createWindow(uninterrupted));
    expect(expected).not.toBeNull();
    expect(estimatePolynomialPercentiles(createWindow(restarted))).toEqual(expected);
  });

  it('returns ascending values of at least 0 for arbitrary scrapes', () => {
    const interval = fc.record({
      counts: fc.array(fc.nat(40_000), { minLength: 4, maxLength: 4 }),
      position: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1, maxLength: 12 }), intervals => {
        const estimates = estimatePolynomialPercentiles(createWindow(createScrapes(intervals)));
        if (estimates === null) return;
        const values = Object.values(estimates);
        expect(values.every((value, at) => at === 0 || value >= values[at - 1]!)).toBe(true);
        expect(values[0]).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });
});

/**
 * Creates the scrapes of intervals with these bucket counts. `position` selects the sum, from the lowest (0) to
 * the highest (1).
 */
function createScrapes(intervals: { counts: number[]; position: number }[]): Scrapes {
  const rows = [[0, 0, 0, 0]];
  const sums = [0];
  for (const { counts, position } of intervals) {
    let below = 0;
    rows.push(
      rows.at(-1)!.map((before, bucket) => {
        below += counts[bucket]!;
        return before + below;
      }),
    );
    const [a, b, c, d] = counts as [number, number, number, number];
    const lowest = 0.1 * b + c + 10 * d;
    const highest = 0.1 * a + b + 10 * c + 30 * d;
    sums.push(sums.at(-1)! + lowest + position * (highest - lowest));
  }
  return { les, sums, counts: rows.map(row => row[3]!), bucket_counts: rows };
}

interface Baseline {
  readonly scenarios: { readonly id: string; readonly est: { readonly aiperf: PercentileEstimates } }[];
}

const baseline = readSharedDocument<Baseline>('accuracy/baseline_dev.json');

describe.skipIf(runs === null || baseline === null)('on simulated runs', () => {
  test.each(runs ?? [])('$id matches AIPerf', run => {
    const expected = baseline?.scenarios.find(scenario => scenario.id === run.id)?.est.aiperf;
    const estimates = estimatePolynomialPercentiles(createWindow(run, run.reference_index));
    for (const [name, value] of Object.entries(expected ?? {})) {
      const error = Math.abs((estimates?.[name as keyof PercentileEstimates] ?? Number.NaN) - value);
      expect(error, name).toBeLessThanOrEqual(1e-9 * Math.abs(value));
    }
  });
});
