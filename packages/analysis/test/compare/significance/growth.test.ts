import { expect, test } from 'vitest';
import { testGrowth } from '../../../src/compare/significance/growth.ts';
import { accumulate, addNoise, createRandom, createTrend } from '../slices.ts';

const toSample = (values: readonly number[]) => ({ values });
const slow = addNoise(createTrend(30, 1, 20));
/** A queue of a server near its capacity. */
const wave = addNoise(createTrend(30, 0, 29).map(i => 2 + Math.sin(i / 4)));
const fast = addNoise(createTrend(30, 1, 40));

test.each<[string, number[], number[], number, 'detected' | 'not significant' | 'not tested']>([
  ['two queues that grow, one of them faster', slow, fast, 10, 'detected'],
  ['two queues that grow equally fast', slow, addNoise(createTrend(30, 1.5, 20.5)), 0.5, 'not significant'],
  ['a mean that differs in the opposite direction', slow, fast, -10, 'not significant'],
  ['a queue that grows and one that shrinks', slow, addNoise(createTrend(30, 40, 1)), 10, 'not significant'],
  ['a queue that grows and one that comes and goes', wave, fast, 10, 'detected'],
  ['two queues that come and go', wave, wave.map(value => 2 * value), 10, 'not tested'],
  ['a queue that grows and a steady one', slow, addNoise(createTrend(30, 9, 9)), 10, 'not tested'],
  ['too few slices', slow.slice(0, 11), fast.slice(0, 11), 10, 'not tested'],
])('compares the growth of two runs: %s', (_, base, other, difference, expected) => {
  const result = testGrowth(toSample(base), toSample(other), difference);
  if (expected === 'not tested') expect(result).toBeUndefined();
  else if (expected === 'detected') expect(result!.p).toBeLessThan(0.05);
  else expect(result!.p).toBeGreaterThan(0.05);
});

test('rarely finds a difference between equal queues, whose random parts accumulate', () => {
  const random = createRandom(1);
  const createQueue = (): number[] => accumulate(30, () => 1 + 1.5 * (random() + random() + random() - 1.5));
  let tested = 0;
  let significant = 0;
  for (let i = 0; i < 1000; i++) {
    const result = testGrowth(toSample(createQueue()), toSample(createQueue()), random() - 0.5);
    if (!result) continue;
    tested++;
    if (result.p! <= 0.05) significant++;
  }
  expect(tested).toBeGreaterThan(800);
  // The sign of the difference is random here, so that half of the differences are not significant.
  expect(significant / tested).toBeLessThan(0.04);
});
