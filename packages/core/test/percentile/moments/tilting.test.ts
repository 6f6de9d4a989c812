import { describe, expect, it } from 'vitest';
import { estimateDensity } from '../../../src/percentile/moments/bucketDensity.ts';
import { findExactValues } from '../../../src/percentile/moments/exactValues.ts';
import { fitModel } from '../../../src/percentile/moments/model.ts';
import { estimatePrior } from '../../../src/percentile/moments/prior.ts';
import { approximateExp, placeObservations } from '../../../src/percentile/moments/tilting.ts';
import { createWindowSample } from '../support/samples.ts';
import { FAMILIES, simulate } from '../support/simulation.ts';

const LES = ['0.25', '0.5', '1', '2', '+Inf'];

describe.each(Object.entries(FAMILIES))('placed observations of %s', (_, family) => {
  const sample = createWindowSample(simulate(family, LES, 80, 3, 31).window);
  const prior = estimatePrior(sample);
  const model = fitModel(sample, prior);
  const { rows, known } = findExactValues(sample);
  const densities = known.map((values, bucket) => estimateDensity(sample, prior, model, bucket, values));

  it('exclude exactly known observations and add up to the remaining sum', () => {
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
    const unsolvedRows = [...rows.keys()].filter(row => rows[row] === 0);
    const expectedCount = unsolvedRows.reduce((total, row) => total + sample.size[row]!, 0);
    const expectedSum = unsolvedRows.reduce((total, row) => total + sample.sum[row]!, 0);
    expect(count).toBeCloseTo(expectedCount, 6);
    expect(Math.abs(sum - expectedSum) / expectedSum).toBeLessThan(0.03);
  });
});

describe('approximateExp', () => {
  it('approximates e^x with a relative error below 1e-7 for x down to -40, and returns 0 for lower x', () => {
    for (let x = 0; x > -40; x -= 0.0137) {
      expect(Math.abs(approximateExp(x) / Math.exp(x) - 1)).toBeLessThan(1e-7);
    }
    expect(approximateExp(0)).toBe(1);
    expect(approximateExp(-41)).toBe(0);
    expect(approximateExp(Number.NEGATIVE_INFINITY)).toBe(0);
  });
});
