import { describe, expect, it } from 'vitest';
import { matchMoments } from '../../../src/percentile/moments/maximumEntropy.ts';

const at = Float64Array.from({ length: 200 }, (_, cell) => 2 + (cell + 0.5) / 100);
const weight = at.map(x => x);

function moments(mass: Float64Array): { total: number; mean: number; variance: number } {
  const total = mass.reduce((all, one) => all + one, 0);
  const mean = mass.reduce((all, one, cell) => all + one * at[cell]!, 0);
  return { total, mean, variance: mass.reduce((all, one, cell) => all + one * (at[cell]! - mean) ** 2, 0) };
}

describe('matchMoments', () => {
  it.each([
    [2.5, 0.01],
    [3, 0.2],
    [3.9, 0.003],
    [2.02, 0.0002],
    [3.3, 0.05],
  ])('matches mean %d and variance %d', (mean, variance) => {
    const found = moments(matchMoments(at, weight, mean, variance));
    expect(found.total).toBeCloseTo(1, 9);
    expect(found.mean).toBeCloseTo(mean, 5);
    expect(Math.abs(found.variance - variance)).toBeLessThan(0.02 * variance + 1e-6);
  });

  it('keeps weights that have the mean and a smaller variance', () => {
    const { mean } = moments(weight.map(one => one / weight.reduce((all, other) => all + other, 0)));
    const mass = matchMoments(at, weight, mean, 10);
    expect(mass[150]! / mass[10]!).toBeCloseTo(weight[150]! / weight[10]!, 6);
  });

  it('handles a mean at an end, and a single cell', () => {
    expect(moments(matchMoments(at, weight, 2, 1)).mean).toBeLessThan(2.02);
    expect([...matchMoments(Float64Array.of(3), Float64Array.of(7), 3, 1)]).toEqual([1]);
  });
});
