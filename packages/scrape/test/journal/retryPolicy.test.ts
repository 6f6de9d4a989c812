import { expect, it } from 'vitest';
import { RetryPolicy } from '../../src/journal/retryPolicy.ts';

/**
 * Simulates failures and returns the pause after each, in milliseconds. Each retry starts when it is due and
 * fails after `calmMs[N]` milliseconds, by default immediately.
 */
function measurePauses(count: number, calmMs: number[] = []): number[] {
  let nowMs = 5;
  const retry = new RetryPolicy(() => nowMs);
  expect(retry.isDue).toBe(true);
  return Array.from({ length: count }, (_, failure) => {
    nowMs += calmMs[failure] ?? 0;
    retry.recordFailure();
    const pauseStartMs = nowMs;
    while (!retry.isDue) nowMs += 500;
    return nowMs - pauseStartMs;
  });
}

it('doubles the pause up to 30 seconds', () => {
  expect(measurePauses(8)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

it('restarts at one second after a minute without failures', () => {
  expect(measurePauses(4, [0, 0, 59_000, 61_000])).toEqual([1000, 2000, 4000, 1000]);
});
