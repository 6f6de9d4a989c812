import { describe, expect, it } from 'vitest';
import { estimatePrior, isIsolatedFirstBucket } from '../../../src/percentile/moments/prior.ts';
import { createWindowSample } from '../support/samples.ts';
import { createScrapedWindow } from '../support/scrapes.ts';

/** Creates a sample with the given number of observations in the middle of each bucket. */
function createSampleWithCounts(les: string[], counts: number[]) {
  const upper = les.map(le => (le === '+Inf' ? 100 : Number(le)));
  const values = counts.flatMap((count, bucket) => {
    const lower = bucket === 0 ? 0 : upper[bucket - 1]!;
    return new Array<number>(count).fill((lower + upper[bucket]!) / 2);
  });
  return createWindowSample(createScrapedWindow(les, [values]));
}

const les = ['1', '2', '3', '+Inf'];

describe('estimatePrior', () => {
  it('shifts a mean toward the adjacent bucket with more observations', () => {
    const rising = estimatePrior(createSampleWithCounts(les, [5, 50, 500, 0])).mean[1]!;
    const flat = estimatePrior(createSampleWithCounts(les, [50, 50, 50, 0])).mean[1]!;
    const falling = estimatePrior(createSampleWithCounts(les, [500, 50, 5, 0])).mean[1]!;
    expect(rising).toBeGreaterThan(flat + 0.05);
    expect(falling).toBeLessThan(flat - 0.05);
    expect(flat).toBeGreaterThan(1.4);
    expect(flat).toBeLessThan(1.6);
  });

  it('assigns the remaining sum to +Inf', () => {
    const sample = createSampleWithCounts(les, [10, 10, 10, 2]);
    const overflowMean = estimatePrior(sample).mean.at(-1)!;
    expect(overflowMean).toBeGreaterThan(48);
    expect(overflowMean).toBeLessThan(55);
  });

  it('places an isolated first bucket near 0', () => {
    const isolated = createSampleWithCounts(les, [50, 0, 30, 0]);
    expect(isIsolatedFirstBucket(isolated, 0)).toBe(true);
    expect(isIsolatedFirstBucket(createSampleWithCounts(les, [50, 20, 30, 0]), 0)).toBe(false);
    expect(estimatePrior(isolated).mean[0]).toBeLessThan(0.2);
  });
});
