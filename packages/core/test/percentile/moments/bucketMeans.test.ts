import { describe, expect, it } from 'vitest';
import {
  computeFirstVariance,
  createNormalEquations,
  solveBoundedMeans,
} from '../../../src/percentile/moments/bucketMeans.ts';
import { estimatePrior } from '../../../src/percentile/moments/prior.ts';
import { createWindowSample } from '../support/samples.ts';
import { createScrapedWindow } from '../support/scrapes.ts';
import { FAMILIES, simulate } from '../support/simulation.ts';

const les = ['0.5', '1', '2', '+Inf'];

describe('solveBoundedMeans', () => {
  it('recovers the means from the sums', () => {
    // All observations of a bucket are equal, so five intervals with different mixtures determine the four means.
    const [a, b, c, d] = [0.2, 0.9, 1.2, 5];
    const sample = createWindowSample(
      createScrapedWindow(les, [
        [a, b],
        [a, a, c],
        [b, c, d],
        [a, c, c, d],
        [b, b, b, a, d, d],
      ]),
    );
    const prior = estimatePrior(sample);
    const means = prior.mean.slice();
    solveBoundedMeans(createNormalEquations(sample, prior, new Float64Array(5).fill(1e-12)), sample, means);
    for (const [at, mean] of [a, b, c, d].entries()) expect(means[at]).toBeCloseTo(mean, 6);
  });

  it('finds a minimum within the buckets', () => {
    const sample = createWindowSample(simulate(FAMILIES.weibull!, les, 30, 6, 5).window);
    const prior = estimatePrior(sample);
    // A sum that is far too large pulls means out of their buckets.
    sample.sum[3]! *= 3;
    const equations = createNormalEquations(
      sample,
      prior,
      sample.size.map(size => 0.01 * size),
    );
    const means = prior.mean.slice();
    solveBoundedMeans(equations, sample, means);
    const size = means.length;
    const computeObjective = (x: Float64Array): number => {
      let objective = 0;
      for (let row = 0; row < size; row += 1) {
        objective -= 2 * equations.right[row]! * x[row]!;
        for (let column = 0; column < size; column += 1) {
          objective += equations.matrix[row * size + column]! * x[row]! * x[column]!;
        }
      }
      return objective;
    };
    for (let bucket = 0; bucket < size; bucket += 1) {
      for (const step of [-1e-4, 1e-4]) {
        const shifted = means.slice();
        shifted[bucket] = Math.min(
          Math.max(shifted[bucket]! + step, sample.lower[bucket]!),
          sample.upper[bucket]!,
        );
        expect(computeObjective(shifted)).toBeGreaterThanOrEqual(
          computeObjective(means) - 1e-9 * Math.abs(computeObjective(means)),
        );
      }
    }
  });
});

describe('computeFirstVariance', () => {
  it('returns the first element of the inverse', () => {
    const matrix = Float64Array.from([4, 1, 2, 1, 3, 0, 2, 0, 5]);
    // det = 4 (15) - 1 (5) + 2 (-6) = 43, cofactor 15
    expect(computeFirstVariance({ matrix, right: new Float64Array(3) })).toBeCloseTo(15 / 43, 12);
  });
});
