import { expect, test } from 'vitest';
import type { Int64Values, TextValues } from '../../../src/parquet/index.ts';
import {
  getText,
  IdentityTracker,
  NEW_SERIES,
  NEW_TIMESTAMP,
  SAME,
} from '../../../src/parquet/validate/identity.ts';

const createTexts = (...values: readonly (string | null)[]): TextValues => {
  const distinct = [...new Set(values.filter(value => value !== null))];
  return {
    type: 'string',
    codes: Int32Array.from(values, value => (value === null ? -1 : distinct.indexOf(value))),
    texts: distinct,
  };
};
const createTimestamps = (...values: readonly bigint[]): Int64Values => ({
  type: 'int64',
  values: BigInt64Array.from(values),
});

test('finds the first row of each series and timestamp', () => {
  const starts = new IdentityTracker().findStarts(
    5,
    [createTexts('a', 'a', 'a', 'b', null)],
    createTimestamps(1n, 1n, 2n, 2n, 2n),
  );
  expect([...starts]).toEqual([NEW_SERIES, SAME, NEW_TIMESTAMP, NEW_SERIES, NEW_SERIES]);
});

test('distinguishes timestamps that differ in their high word only', () => {
  const starts = new IdentityTracker().findStarts(
    2,
    [createTexts('a', 'a')],
    createTimestamps(1n, 1n + (1n << 32n)),
  );
  expect([...starts]).toEqual([NEW_SERIES, NEW_TIMESTAMP]);
});

test.each([
  ['the same series and timestamp', 'b', 2n, SAME],
  ['another timestamp', 'b', 3n, NEW_TIMESTAMP],
  ['another series', 'c', 2n, NEW_SERIES],
])('compares with the previous batch: %s', (_, text, time, expected) => {
  const tracker = new IdentityTracker();
  tracker.findStarts(2, [createTexts('a', 'b')], createTimestamps(1n, 2n));
  // In this batch, the same string has another code.
  expect(tracker.findStarts(1, [createTexts(text)], createTimestamps(time))[0]).toBe(expected);
});

test('getText returns null for a null', () => {
  expect(getText(createTexts('a', null), 0)).toBe('a');
  expect(getText(createTexts('a', null), 1)).toBeNull();
});
