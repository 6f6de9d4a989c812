import { describe, expect, it } from 'vitest';
import { estimatePrior, isIsolatedFirstBucket } from '../../../src/percentile/moments/prior.ts';
import { sampleFrom } from '../support/samples.ts';
import { scraped } from '../support/scrapes.ts';

/** Creates a sample with `counts` observations in the middle of the buckets. */
function counted(les: string[], counts: number[]) {
  const upper = les.map(le => (le === '+Inf' ? 100 : Number(le)));
  const values = counts.flatMap((count, bucket) => {
    const lower = bucket === 0 ? 0 : upper[bucket - 1]!;
    return new Array<number>(count).fill((lower + upper[bucket]!) / 2);
  });
  return sampleFrom(scraped(les, [values]));
}

const les = ['1', '2', '3', '+Inf'];

describe('estimatePrior', () => {
  it('shifts a mean toward the fuller adjacent bucket', () => {
    const rising = estimatePrior(counted(les, [5, 50, 500, 0])).mean[1]!;
    const level = estimatePrior(counted(les, [50, 50, 50, 0])).mean[1]!;
    const falling = estimatePrior(counted(les, [500, 50, 5, 0])).mean[1]!;
    expect(rising).toBeGreaterThan(level + 0.05);
    expect(falling).toBeLessThan(level - 0.05);
    expect(level).toBeGreaterThan(1.4);
    expect(level).toBeLessThan(1.6);
  });

  it('assigns the rest of the sum to +Inf', () => {
    const sample = counted(les, [10, 10, 10, 2]);
    const inf = estimatePrior(sample).mean.at(-1)!;
    expect(inf).toBeGreaterThan(48);
    expect(inf).toBeLessThan(55);
  });

  it('places an isolated first bucket near 0', () => {
    const alone = counted(les, [50, 0, 30, 0]);
    expect(isIsolatedFirstBucket(alone, 0)).toBe(true);
    expect(isIsolatedFirstBucket(counted(les, [50, 20, 30, 0]), 0)).toBe(false);
    expect(estimatePrior(alone).mean[0]).toBeLessThan(0.2);
  });
});
