import { describe, expect, test } from 'vitest';
import { getDoubles, getInt64s, getTexts, type RowBatch } from '../../../src/parquet/index.ts';

const batch: RowBatch = {
  rows: 1,
  rowGroup: 0,
  firstRow: 0,
  columns: new Map([
    ['unit', { type: 'string', codes: Int32Array.of(0), texts: ['s'] }],
    ['value', { type: 'double', values: Float64Array.of(1.5) }],
    ['timestamp_ns', { type: 'int64', values: BigInt64Array.of(5n) }],
  ]),
};

test('returns the columns of a batch', () => {
  expect(getTexts(batch, 'unit').texts).toEqual(['s']);
  expect(getDoubles(batch, 'value').values).toEqual(Float64Array.of(1.5));
  expect(getInt64s(batch, 'timestamp_ns').values).toEqual(BigInt64Array.of(5n));
});

describe('throws and lists the columns of the batch for', () => {
  const columns = 'it has unit (string), value (double), timestamp_ns (int64)';
  test.each([
    ['a missing column', () => getDoubles(batch, 'sum'), 'the batch has no column "sum" of type double'],
    [
      'another type than string',
      () => getTexts(batch, 'value'),
      'the batch has no column "value" of type string',
    ],
    [
      'another type than int64',
      () => getInt64s(batch, 'value'),
      'the batch has no column "value" of type int64',
    ],
  ])('%s', (_, read, message) => {
    expect(read).toThrow(new RangeError(`${message}; ${columns}`));
  });
});
