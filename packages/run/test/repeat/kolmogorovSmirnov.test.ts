import { expect, test } from 'vitest';
import { computeDistance, computeSameDistribution } from '../../src/repeat/kolmogorovSmirnov.ts';

const range = (count: number, value: (index: number) => number): number[] =>
  Array.from({ length: count }, (_, index) => value(index));

/** Samples, with the statistic and the p-value of scipy.stats.ks_2samp. */
const CASES: readonly [string, number[], number[], distance: number, probability: number][] = [
  ['small samples', [1, 3, 5, 7, 9, 11.5, 13, 15], [2, 4, 6, 20, 21, 22], 0.5, 0.30169830169830175],
  [
    'samples of different sizes',
    range(60, i => ((i * 7919) % 1000) / 10),
    range(45, i => ((i * 104729) % 997) / 9),
    0.1111111111111111,
    0.8793072802816579,
  ],
  [
    'large samples',
    range(12_000, i => (i * 7919) % 20_011),
    range(3000, i => ((i * 104_729) % 20_011) + 150),
    0.008166666666666655,
    0.9968295036436315,
  ],
];

test.each(CASES)('%s have the p-value of scipy', (_, first, second, distance, probability) => {
  expect(computeDistance(first, second)).toBeCloseTo(distance, 12);
  // Large samples use the limiting distribution.
  const digits = first.length > 10_000 ? 3 : 9;
  expect(computeSameDistribution(first, second)).toBeCloseTo(probability, digits);
  expect(computeSameDistribution(second, first)).toBeCloseTo(probability, digits);
});

test('equal samples differ by chance, and separate samples do not', () => {
  const sample = range(50, i => i);
  expect(computeSameDistribution(sample, sample)).toBe(1);
  expect(
    computeSameDistribution(
      sample,
      sample.map(value => value + 1000),
    ),
  ).toBeLessThan(1e-20);
});
