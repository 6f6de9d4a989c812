import { expect, it } from 'vitest';
import { RetryPolicy } from '../../src/journal/retryPolicy.ts';

/** Returns the pauses after failures that each follow as soon as allowed. */
function measurePauses(count: number, calmMs: number[] = []): number[] {
  let now = 5;
  const retry = new RetryPolicy(() => now);
  expect(retry.isDue).toBe(true);
  return Array.from({ length: count }, (_, failure) => {
    now += calmMs[failure] ?? 0;
    retry.recordFailure();
    const start = now;
    while (!retry.isDue) now += 500;
    return now - start;
  });
}

it('doubles the pause up to 30 seconds', () => {
  expect(measurePauses(8)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

it('starts again after a minute without failures', () => {
  expect(measurePauses(4, [0, 0, 59_000, 61_000])).toEqual([1000, 2000, 4000, 1000]);
});
