import { expect, test } from 'vitest';
import { NULL_CODE, Runs } from '../../../src/parquet/write/runs.ts';

test('merges equal adjacent values into runs, and counts rows and nulls', () => {
  const runs = new Runs();
  for (const [code, length] of [
    [1, 2],
    [1, 3],
    [NULL_CODE, 4],
    [NULL_CODE, 1],
    [0, 1],
  ] as const)
    runs.push(code, length);
  expect([...runs.codes.subarray(0, runs.size)]).toEqual([1, NULL_CODE, 0]);
  expect([...runs.lengths.subarray(0, runs.size)]).toEqual([5, 5, 1]);
  expect([runs.rows, runs.nulls]).toEqual([11, 5]);
  runs.clear();
  expect([runs.size, runs.rows, runs.nulls]).toEqual([0, 0, 0]);
});

test('grows with the number of runs', () => {
  const runs = new Runs();
  for (let i = 0; i < 5000; i++) runs.push(i % 2, 1);
  expect(runs.size).toBe(5000);
  expect(runs.codes[4999]).toBe(1);
});
