import { expect, test } from 'vitest';
import { compareNumbers, formatNumbers } from '../../src/check/comparison.ts';

test.each<[string, number, number]>([
  ['a rounding error of addition', 0.1 + 0.2, 0.3],
  ['a rounding error of multiplication', 3 * 1.1, 3.3],
  ['a rounding error of a large sum', 1e6 * 0.1 + 1e-11, 1e5],
  ['a rounding error of a tiny number', 3e-9 * 1.1, 3.3e-9],
  ['0 and -0', 0, -0],
  ['infinity', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('treats numbers as equal that differ by %s', (_, a, b) => {
  expect(
    (['==', '<=', '>=', '!=', '<', '>'] as const).map(operator => compareNumbers(a, operator, b)),
  ).toEqual([true, true, true, false, false, false]);
});

test.each<[string, number, number]>([
  ['one event in 10 billion', 10_000_000_000, 10_000_000_001],
  ['one part in a million', 0.3, 0.3000003],
  ['any amount from 0', 0, 1e-300],
])('treats numbers as different that differ by %s', (_, a, b) => {
  expect(
    (['==', '<', '<=', '>', '>=', '!='] as const).map(operator => compareNumbers(a, operator, b)),
  ).toEqual([false, true, true, false, false, true]);
});

test.each<[number, number, [string, string]]>([
  [0.1 + 0.2, 0.3, ['0.3', '0.3']],
  [0.3, 0.3000003, ['0.3', '0.3000003']],
  [10_000_000_000, 10_000_000_001, ['10000000000', '10000000001']],
  [1 / 3, 2 / 3, ['0.333333', '0.666667']],
])('prints %s and %s with enough digits to distinguish them', (a, b, texts) => {
  expect(formatNumbers(a, b)).toEqual(texts);
});
