import { expect, test } from 'vitest';
import { computeRetryDelay } from '../../src/send/retryPolicy.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

test.each([
  [1, undefined, 0, 1000],
  [2, undefined, 0, 2000],
  [3, undefined, 1, 2000],
  [6, undefined, 0, 30_000],
  [5000, undefined, 0.5, 22_500],
  [1, '7', 0, 7000],
  [4, '1', 0, 8000],
  [1, 'Sat, 28 Nov 2026 12:01:30 GMT', 0, 90_000],
  [1, 'Sat, 28 Nov 2026 11:00:00 GMT', 0, 1000],
  [1, '86400', 0, 300_000],
  [1, 'soon', 0, 1000],
])(
  'attempt %i with Retry-After %s and the random number %d waits %i ms',
  (attempt, after, random, expected) => {
    expect(computeRetryDelay(attempt, after, () => random, NOW)).toBe(expected);
  },
);
