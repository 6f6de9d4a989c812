import { expect, test } from 'vitest';
import { countWorkers } from '../../src/profile/workerCount.ts';

test.each([
  ['no limit', {}, undefined],
  ['the limit', { workers: 3, profiling: { concurrency: 50 } }, 3],
  ['the cores', { workers: 252, profiling: { concurrency: 50 } }, 8],
  ['the concurrency', { workers: 252, profiling: { concurrency: 5 } }, 5],
  ['the number of requests', { workers: 252, profiling: { rate: 10, requestCount: 6 } }, 6],
  ['the sessions', { workers: 252, profiling: { rate: 10, sessionCount: 2 } }, 2],
  [
    'the concurrency of the warm-up',
    { workers: 9, profiling: { concurrency: 1 }, warmup: { concurrency: 4 } },
    4,
  ],
])('%s determines the number of threads', (_, plan, expected) => {
  expect(countWorkers({ profiling: {}, ...plan }, 8)).toBe(expected);
});
