import { expect, it } from 'vitest';
import { parseIntegerLiteral } from '../../src/json/integerLiteral.ts';

it.each([
  ['503.0', 503n],
  ['1.76e18', 1_760_000_000_000_000_000n],
  ['1.772000000123456789E+18', 1_772_000_000_123_456_789n],
  ['1772000000123456789.000', 1_772_000_000_123_456_789n],
  ['-12.5e1', -125n],
  ['1500e-2', 15n],
  ['0e999999999', 0n],
  ['0.000', 0n],
  ['-0.0', 0n],
  [`1.${'0'.repeat(100_000)}`, 1n],
  ['1.5', undefined],
  ['15e-2', undefined],
  ['15e-9', undefined],
  ['1772000000123456789.5', undefined],
  ['1e999999999', undefined],
  [`1.${'0'.repeat(100_000)}1`, undefined],
  ['x', undefined],
])('parseIntegerLiteral(%s) returns %s', (literal, value) => {
  expect(parseIntegerLiteral(literal)).toBe(value);
});
