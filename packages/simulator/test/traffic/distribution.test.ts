import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { type Distribution, draw } from '../../src/traffic/distribution.ts';

test.each<[Distribution, number, number]>([
  [{ kind: 'constant', value: 7 }, 7, 7],
  [{ kind: 'uniform', low: 2, high: 3 }, 2, 3],
  [{ kind: 'exponential', mean: 10, min: 1, max: 12 }, 1, 12],
  [{ kind: 'lognormal', median: 100, sigma: 2, min: 50, max: 60 }, 50, 60],
  [{ kind: 'gamma', shape: 0.5, scale: 100, min: 3, max: 400 }, 3, 400],
])('draws values of %j between %d and %d', (distribution, min, max) => {
  const random = new Random(3);
  const values = Array.from({ length: 2000 }, () => draw(distribution, random));
  expect(Math.min(...values)).toBeGreaterThanOrEqual(min);
  expect(Math.max(...values)).toBeLessThanOrEqual(max);
  // Limits must be reached, not only respected.
  if (distribution.min !== undefined) expect(Math.min(...values)).toBe(min);
  if (distribution.max !== undefined) expect(Math.max(...values)).toBe(max);
});
