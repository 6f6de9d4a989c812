import { expect, test } from 'vitest';
import { testLateChange } from '../../../src/compare/significance/lateChange.ts';
import { addNoise, createRandom, createTrend } from '../slices.ts';

const steady = addNoise(createTrend(30, 1, 1));

/** Creates 30 values whose last `count` values grow to `last`. */
const createLate = (count: number, last: number): number[] => [
  ...steady.slice(count),
  ...addNoise(createTrend(count, last / 2, last)),
];

test.each<[string, number[], number, boolean]>([
  ['a collapse in the last quarter', createLate(7, 40), 1, true],
  ['a collapse in the last eighth', createLate(3, 40), 1, true],
  ['a throughput that falls in the last quarter', createLate(7, 0.2), -1, true],
  ['an increase of the run with the lower mean', createLate(7, 40), -1, false],
  ['a spike at the end', createLate(2, 40), 1, false],
  ['an increase within the range of a run', createLate(7, 1.04), 1, false],
  ['a change that ended', [...createLate(7, 40).slice(0, -1), 1], 1, false],
])('detects changes at the end of a run: %s', (_, changed, difference, isDetected) => {
  const p = testLateChange({ values: steady }, { values: changed }, difference);
  if (isDetected) expect(p).toBeLessThan(1e-6);
  else expect(p).toBeUndefined();
  expect(testLateChange({ values: changed }, { values: steady }, -difference)).toEqual(p);
});

test.each<[string, number[]]>([
  ['a constant run', steady.map(() => 1)],
  ['a run that drifts', addNoise(createTrend(30, 1, 9))],
  ['too few slices', steady.slice(0, 7)],
])('is not tested against %s', (_, base) => {
  expect(testLateChange({ values: base }, { values: createLate(7, 400) }, 1)).toBeUndefined();
});

test('rarely finds a change in equal runs whose slices are correlated', () => {
  const random = createRandom(1);
  const createRun = (): number[] => {
    let deviation = 0;
    return Array.from({ length: 40 }, () => {
      deviation = 0.8 * deviation + random() + random() + random() - 1.5;
      return Math.exp(deviation);
    }).slice(10);
  };
  const values = Array.from({ length: 2000 }, () =>
    testLateChange({ values: createRun() }, { values: createRun() }, random() - 0.5),
  );
  expect(values.filter(p => p !== undefined && p <= 0.05).length / values.length).toBeLessThan(0.02);
});
