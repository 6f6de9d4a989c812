import { describe, expect, test } from 'vitest';
import { countIndependent, testDrift, toLogarithms } from '../../../src/compare/significance/drift.ts';
import { addNoise, createTrend } from '../slices.ts';

/** Returns 30 values that start at `from` and change to `to`, with noise of up to 2.5%. */
const createValues = (from: number, to: number): number[] => addNoise(createTrend(30, from, to));

const toSample = (values: readonly number[]) => ({ values });

describe('a steady run and a run that drifts', () => {
  test.each<[string, number[], number[], number]>([
    ['a latency that grows from 0.1 to 9 s', createValues(0.036, 0.036), createValues(0.1, 9), 5],
    ['a queue that grows from 1 to 40', createValues(0.3, 0.3), createValues(1, 40), 18],
    ['a queue that was always empty', Array.from({ length: 30 }, () => 0), createValues(1, 47), 23.6],
    ['a queue that shrinks', createValues(0.3, 0.3), createValues(40, 1), 18],
  ])('are different: %s', (_, base, other, difference) => {
    expect(testDrift(toSample(base), toSample(other), difference)!.p).toBeLessThan(0.001);
    expect(testDrift(toSample(other), toSample(base), -difference)!.p).toBeLessThan(0.001);
  });

  test('are not tested if the drift crosses the steady run', () => {
    expect(testDrift(toSample(createValues(3, 3)), toSample(createValues(1, 6)), 0.5)).toBeUndefined();
  });

  test.each([
    ['a drift that starts during the run', 15, true],
    ['a drift of fewer than 8 slices at the end', 6, false],
  ])('are compared after the start of %s', (_, slices, isTested) => {
    const late = [...createValues(1, 1).slice(0, 30 - slices), ...createValues(5, 40).slice(0, slices)];
    const result = testDrift(toSample(createValues(1, 1)), toSample(late), 6);
    if (isTested) expect(result!.p).toBeLessThan(0.01);
    else expect(result).toBeUndefined();
  });

  test('are tested in short runs only if they are far apart', () => {
    const shorten = (values: number[]) => toSample(values.slice(0, 10));
    const steady = shorten(createValues(1, 1));
    expect(testDrift(steady, shorten(createValues(1.1, 2)), 0.5)).toBeUndefined();
    expect(testDrift(steady, shorten(createValues(20, 60)), 30)!.p).toBeLessThan(0.01);
  });

  test('are no evidence of a difference in the opposite direction', () => {
    expect(testDrift(toSample(createValues(1, 1)), toSample(createValues(2, 9)), -1)).toBeUndefined();
  });
});

test.each<[string, number[], number[]]>([
  ['two steady runs', createValues(1, 1), createValues(2, 2)],
  ['two runs that drift', createValues(1, 9), createValues(20, 90)],
  ['too few timeslices', createValues(1, 1).slice(0, 7), createValues(2, 9).slice(0, 7)],
  ['negative values', createValues(-1, -1), createValues(2, 9)],
])('does not test %s', (_, base, other) => {
  expect(testDrift(toSample(base), toSample(other), 1)).toBeUndefined();
});

test('adds half the smallest positive value before taking the logarithm of zeros', () => {
  expect(toLogarithms([0, 2], [4])).toEqual([[0, Math.log(3)], [Math.log(5)]]);
  expect(toLogarithms([1, 2], [4])).toEqual([[0, Math.log(2)], [Math.log(4)]]);
  expect(toLogarithms([0], [0])).toBeUndefined();
});

test('counts equal values as independent', () => {
  expect(countIndependent([5, 5, 5, 5, 5, 5, 5, 5])).toBe(8);
  expect(countIndependent(createValues(1, 9))).toBeLessThan(3);
});
