import { describe, expect, it } from 'vitest';
import { estimateDensity } from '../../../src/percentile/moments/bucketDensity.ts';
import { findExactValues } from '../../../src/percentile/moments/exactValues.ts';
import { fitModel } from '../../../src/percentile/moments/model.ts';
import { estimatePrior } from '../../../src/percentile/moments/prior.ts';
import { placeObservations } from '../../../src/percentile/moments/tilting.ts';
import { sampleFrom } from '../support/samples.ts';
import { FAMILIES, simulate } from '../support/simulation.ts';

const LES = ['0.25', '0.5', '1', '2', '+Inf'];

describe.each(Object.entries(FAMILIES))('is correct for %s', (_, family) => {
  const sample = sampleFrom(simulate(family, LES, 80, 3, 31).window);
  const prior = estimatePrior(sample);
  const model = fitModel(sample, prior);
  const { rows, known } = findExactValues(sample);
  const densities = known.map((values, bucket) => estimateDensity(sample, prior, model, bucket, values));

  it('densities are within their buckets and have a mass of 1', () => {
    for (const [bucket, { lower, upper, mass, cells }] of densities.entries()) {
      expect(mass.reduce((all, one) => all + one, 0)).toBeCloseTo(1, 9);
      expect(mass.every(one => one >= 0)).toBe(true);
      expect(lower.every((edge, cell) => edge >= sample.lower[bucket]! && upper[cell]! >= edge)).toBe(true);
      expect(upper.every(edge => edge <= sample.upper[bucket]! * (1 + 1e-12))).toBe(true);
      for (let cell = 1; cell < cells; cell += 1) expect(lower[cell]).toBe(upper[cell - 1]);
    }
  });

  it('placed observations are the unknown ones and add up to the rest of the sum', () => {
    const placed = placeObservations(sample, model, densities, rows);
    let count = 0;
    let sum = 0;
    for (const [bucket, cells] of placed.entries()) {
      const { lower, upper } = densities[bucket]!;
      cells.forEach((mass, cell) => {
        count += mass;
        sum += (mass * (lower[cell]! + upper[cell]!)) / 2;
      });
    }
    const open = [...rows.keys()].filter(row => rows[row] === 0);
    const size = open.reduce((all, row) => all + sample.size[row]!, 0);
    const whole = open.reduce((all, row) => all + sample.sum[row]!, 0);
    expect(count).toBeCloseTo(size, 6);
    expect(Math.abs(sum - whole) / whole).toBeLessThan(0.03);
  });
});
