import { expect, test } from 'vitest';
import { createRandom } from '../../src/measure/random.ts';

const drawNumbers = (seed: number): number[] => Array.from({ length: 10_000 }, createRandom(seed));

test('produces the same numbers for the same seed only', () => {
  expect(drawNumbers(7)).toEqual(drawNumbers(7));
  expect(drawNumbers(7)).not.toEqual(drawNumbers(8));
});

test('produces numbers that are uniformly distributed between 0 and 1', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const number of drawNumbers(1)) tenths[Math.floor(10 * number)]! += 1;
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
