import { describe, expect, it } from 'vitest';
import { matchMoments } from '../../../src/percentile/moments/maximumEntropy.ts';

/** Centers of 200 cells from 2 to 4. */
const positions = Float64Array.from({ length: 200 }, (_, cell) => 2 + (cell + 0.5) / 100);
/** Prior masses, proportional to the positions. */
const weights = positions;

function computeMoments(mass: Float64Array): { total: number; mean: number; variance: number } {
  const total = mass.reduce((sum, m) => sum + m, 0);
  const mean = mass.reduce((sum, m, cell) => sum + m * positions[cell]!, 0);
  const variance = mass.reduce((sum, m, cell) => sum + m * (positions[cell]! - mean) ** 2, 0);
  return { total, mean, variance };
}

describe('matchMoments', () => {
  it.each([
    [2.5, 0.01],
    [3, 0.2],
    [3.9, 0.003],
    [2.02, 0.0002],
    [3.3, 0.05],
  ])('matches mean %d and variance %d', (mean, variance) => {
    const moments = computeMoments(matchMoments(positions, weights, mean, variance));
    expect(moments.total).toBeCloseTo(1, 9);
    expect(moments.mean).toBeCloseTo(mean, 5);
    expect(Math.abs(moments.variance - variance)).toBeLessThan(0.02 * variance + 1e-6);
  });

  it('preserves weights that have the given mean and a smaller variance', () => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const { mean } = computeMoments(weights.map(weight => weight / total));
    const mass = matchMoments(positions, weights, mean, 10);
    expect(mass[150]! / mass[10]!).toBeCloseTo(weights[150]! / weights[10]!, 6);
  });

  it('handles a mean at the lower limit, and a single cell', () => {
    expect(computeMoments(matchMoments(positions, weights, 2, 1)).mean).toBeLessThan(2.02);
    expect([...matchMoments(Float64Array.of(3), Float64Array.of(7), 3, 1)]).toEqual([1]);
  });
});
