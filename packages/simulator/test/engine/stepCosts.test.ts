import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { computeStepDuration, DEFAULT_COSTS } from '../../src/engine/stepCosts.ts';

const NOISELESS_COSTS = { ...DEFAULT_COSTS, sigma: 0, interruptProbability: 0 };
const NO_WORK = { prefillTokens: 0, sequences: 0, contextTokens: 0 };

test.each([
  [NO_WORK, 1, 7_000_000],
  [{ ...NO_WORK, prefillTokens: 100 }, 1, 9_200_000],
  [{ ...NO_WORK, sequences: 10, contextTokens: 5000 }, 1, 7_500_000],
  [{ ...NO_WORK, sequences: 10, contextTokens: 5000 }, 4, 1_875_000],
])('a step of %j at speed %d takes %d ns', (work, speed, durationNs) => {
  expect(computeStepDuration(work, NOISELESS_COSTS, speed, new Random(1))).toBe(durationNs);
});

test('noise has the configured spread', () => {
  const random = new Random(1);
  const costs = { ...DEFAULT_COSTS, interruptProbability: 0 };
  const logs = Array.from({ length: 4000 }, () =>
    Math.log(computeStepDuration(NO_WORK, costs, 1, random) / costs.base),
  );
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length;
  expect(mean).toBeCloseTo(0, 2);
  expect(Math.sqrt(variance)).toBeCloseTo(costs.sigma, 2);
});

test('interrupted steps take 2 to 12 times as long', () => {
  const random = new Random(1);
  const factors = Array.from(
    { length: 500 },
    () =>
      computeStepDuration(NO_WORK, { ...NOISELESS_COSTS, interruptProbability: 1 }, 1, random) /
      NOISELESS_COSTS.base,
  );
  expect(Math.min(...factors)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...factors)).toBeLessThanOrEqual(12);
});
