import { expect, test } from 'vitest';
import { createRandom } from '../../src/measure/random.ts';

const draw = (seed: number): number[] => Array.from({ length: 10_000 }, createRandom(seed));

test('produces the same numbers for the same seed only', () => {
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test('numbers are uniformly distributed from 0 to 1', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const number of draw(1)) tenths[Math.floor(10 * number)]! += 1;
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
