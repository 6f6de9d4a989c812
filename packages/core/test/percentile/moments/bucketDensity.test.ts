import { describe, expect, it } from 'vitest';
import { estimateDensity } from '../../../src/percentile/moments/bucketDensity.ts';
import { findExactValues } from '../../../src/percentile/moments/exactValues.ts';
import { fitModel } from '../../../src/percentile/moments/model.ts';
import { estimatePrior } from '../../../src/percentile/moments/prior.ts';
import { createWindowSample } from '../support/samples.ts';
import { FAMILIES, simulate } from '../support/simulation.ts';

const LES = ['0.25', '0.5', '1', '2', '+Inf'];

describe.each(Object.entries(FAMILIES))('densities of %s', (_, family) => {
  const sample = createWindowSample(simulate(family, LES, 80, 3, 31).window);
  const prior = estimatePrior(sample);
  const model = fitModel(sample, prior);
  const { known } = findExactValues(sample);
  const densities = known.map((values, bucket) => estimateDensity(sample, prior, model, bucket, values));

  it('are within their buckets and have a mass of 1', () => {
    for (const [bucket, { lower, upper, mass, cells }] of densities.entries()) {
      expect(mass.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      expect(mass.every(share => share >= 0)).toBe(true);
      expect(lower.every((edge, cell) => edge >= sample.lower[bucket]! && upper[cell]! >= edge)).toBe(true);
      expect(upper.every(edge => edge <= sample.upper[bucket]! * (1 + 1e-12))).toBe(true);
      for (let cell = 1; cell < cells; cell += 1) expect(lower[cell]).toBe(upper[cell - 1]);
    }
  });
});
