import { describe, expect, it } from 'vitest';
import { createNormalEquations } from '../../../src/percentile/moments/bucketMeans.ts';
import { estimatePrior } from '../../../src/percentile/moments/prior.ts';
import { detectZeroInflation } from '../../../src/percentile/moments/zeroInflation.ts';
import { createWindowSample } from '../support/samples.ts';
import { createScrapedWindow } from '../support/scrapes.ts';

const LES = ['1', '2', '4', '+Inf'];

/**
 * Runs the detection for a fitted mean of the first bucket. This bucket contains 50 observations, and the second bucket
 * contains `secondCount`.
 */
function detect(mean: number, secondCount: number, les: readonly string[] = LES) {
  const values = [...new Array<number>(50).fill(0.5), ...new Array<number>(secondCount).fill(1.5), 3];
  const sample = createWindowSample(createScrapedWindow(les, [values]));
  const prior = estimatePrior(sample);
  const equations = createNormalEquations(sample, prior, Float64Array.of(0.01));
  return { hasZeros: detectZeroInflation(sample, prior, equations, mean), prior };
}

describe('detectZeroInflation', () => {
  it('detects zeros if the mean of a dense first bucket is near 0', () => {
    const { hasZeros, prior } = detect(0.01, 1);
    expect(hasZeros).toBe(true);
    expect(prior.mean[0]).toBeLessThan(0.1);
  });

  it.each<[string, number, number, readonly string[]]>([
    ['the first bucket is as dense as the second', 0.01, 50, LES],
    ['the first bucket does not start at 0', 0.01, 1, ['-1', '1', '2', '+Inf']],
    ['there are only two buckets', 0.01, 1, ['1', '+Inf']],
  ])('detects no zeros if %s', (_, mean, secondCount, les) => {
    expect(detect(mean, secondCount, les).hasZeros).toBe(false);
  });
});
