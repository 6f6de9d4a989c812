import { expect, test } from 'vitest';
import { findDoubleBounds, findInt64Bounds, findTextBounds } from '../../../src/parquet/write/statistics.ts';

const toDoubleWords = (...values: number[]) => new Int32Array(Float64Array.from(values).buffer);
const toInt64Words = (...values: bigint[]) => new Int32Array(BigInt64Array.from(values).buffer);

test('strings are compared as unsigned bytes', () => {
  const bounds = findTextBounds(['z', 'ä', 'a', '\uFF5E', '\u{1F600}'].map(text => Buffer.from(text)))!;
  expect([String(bounds.min), String(bounds.max)]).toEqual(['a', '\u{1F600}']);
});

test('strings of more than 256 bytes have no bounds', () => {
  expect(findTextBounds([Buffer.from('a'), Buffer.alloc(257, 'b')])).toBeUndefined();
  expect(findTextBounds([Buffer.alloc(256, 'b')])).toBeDefined();
});

test('integers are compared as signed 64-bit integers', () => {
  const bounds = findInt64Bounds(toInt64Words(1765793061967310849n, -1n, 1765793061967310848n))!;
  expect([bounds.min.readBigInt64LE(), bounds.max.readBigInt64LE()]).toEqual([-1n, 1765793061967310849n]);
});

test.each([
  ['their minimum and maximum', [3, -1.5, 2], -1.5, 3],
  ['-0 for a minimum of 0', [0, 1], -0, 1],
  ['+0 for a maximum of -0', [-1, -0], -1, 0],
  ['-0 and +0 for zeros', [-0], -0, 0],
])('doubles have the bounds: %s', (_, values, min, max) => {
  const bounds = findDoubleBounds(toDoubleWords(...values))!;
  expect([bounds.min.readDoubleLE(), bounds.max.readDoubleLE()]).toEqual([min, max]);
});

test('an empty column has no bounds', () => {
  expect([findTextBounds([]), findInt64Bounds(toInt64Words()), findDoubleBounds(toDoubleWords())]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
