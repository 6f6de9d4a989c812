import { describe, expect, it } from 'vitest';
import { estimateDensity } from '../../../src/percentile/moments/bucketDensity.ts';
import { findExactValues } from '../../../src/percentile/moments/exactValues.ts';
import { fitModel } from '../../../src/percentile/moments/model.ts';
import { estimatePrior } from '../../../src/percentile/moments/prior.ts';
import { placeObservations } from '../../../src/percentile/moments/tilting.ts';
import { sampleFrom } from '../support/samples.ts';
import { FAMILIES, simulate } from '../support/simulation.ts';

const LES = ['0.25', '0.5', '1', '2', '+Inf'];

describe.each(Object.entries(FAMILIES))('placed observations of %s', (_, family) => {
  const sample = sampleFrom(simulate(family, LES, 80, 3, 31).window);
  const prior = estimatePrior(sample);
  const model = fitModel(sample, prior);
  const { rows, known } = findExactValues(sample);
  const densities = known.map((values, bucket) => estimateDensity(sample, prior, model, bucket, values));

  it('are the unknown ones and add up to the rest of the sum', () => {
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
    const size = open.reduce((total, row) => total + sample.size[row]!, 0);
    const whole = open.reduce((total, row) => total + sample.sum[row]!, 0);
    expect(count).toBeCloseTo(size, 6);
    expect(Math.abs(sum - whole) / whole).toBeLessThan(0.03);
  });
});
