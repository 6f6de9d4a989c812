import { describe, expect, it } from 'vitest';
import { fitModel } from '../../../src/percentile/moments/model.ts';
import { estimatePrior } from '../../../src/percentile/moments/prior.ts';
import { createWindowSample } from '../support/samples.ts';
import { FAMILIES, type Family, simulate } from '../support/simulation.ts';

const LES = ['0.25', '0.5', '1', '2', '4', '+Inf'];

function fitFamily(family: Family, scrapes: number, perScrape: number) {
  const { window, values } = simulate(family, LES, scrapes, perScrape, 23);
  const sample = createWindowSample(window);
  return { sample, values, model: fitModel(sample, estimatePrior(sample)) };
}

describe('fitModel', () => {
  it.each(['weibull', 'exponential', 'triangle'])('approximates the bucket means of %s', family => {
    const { sample, values, model } = fitFamily(FAMILIES[family]!, 300, 8);
    for (const [bucket, mean] of model.mean.entries()) {
      const inside = values.filter(value => value > sample.lower[bucket]! && value <= sample.upper[bucket]!);
      if (inside.length < 50 || sample.upper[bucket] === Number.POSITIVE_INFINITY) continue;
      const truth = inside.reduce((sum, value) => sum + value, 0) / inside.length;
      expect(Math.abs(mean - truth) / sample.width[bucket]!).toBeLessThan(0.08);
    }
  });

  it('detects zeros in the first bucket if and only if the distribution has zeros', () => {
    expect(fitFamily(FAMILIES.zeros!, 200, 10).model.hasZeros).toBe(true);
    expect(fitFamily(FAMILIES.weibull!, 200, 10).model.hasZeros).toBe(false);
    expect(fitFamily(FAMILIES.triangle!, 200, 10).model.hasZeros).toBe(false);
  });

  it('detects correlation within intervals', () => {
    let value = 0;
    let copies = 0;
    const batches: Family = random => {
      if (copies === 0) [value, copies] = [0.3 + 3 * random() ** 2, 12];
      copies -= 1;
      return value;
    };
    expect(fitFamily(batches, 200, 12).model.correlation).toBeGreaterThan(0.2);
    expect(fitFamily(FAMILIES.weibull!, 200, 12).model.correlation).toBeLessThan(0.05);
  });

  it('keeps means within their buckets and variances possible', () => {
    const { sample, model } = fitFamily(FAMILIES.loglogistic!, 50, 3);
    for (const [bucket, mean] of model.mean.entries()) {
      const below = mean - sample.lower[bucket]!;
      const above = sample.upper[bucket]! - mean;
      expect(below).toBeGreaterThanOrEqual(0);
      expect(above).toBeGreaterThanOrEqual(0);
      expect(model.variance[bucket]).toBeGreaterThan(0);
      if (Number.isFinite(above)) expect(model.variance[bucket]).toBeLessThanOrEqual(below * above + 1e-12);
    }
  });
});
