import { expect, test } from 'vitest';
import { isLengthMismatch } from '../../src/metrics/lengthMismatch.ts';

test.each([
  ['a length within 5%', 100, 95, false],
  ['a shorter length', 100, 94, true],
  ['a longer length', 100, 106, true],
  ['a length within 50 tokens', 10_000, 9950, false],
  ['a length beyond 50 tokens, which is within 5%', 10_000, 9949, true],
  ['a request without a requested length', undefined, 10, false],
  ['a request without output', 100, undefined, false],
])('assesses %s', (_, requested, actual, expected) => {
  expect(isLengthMismatch({ requested_osl: requested, output_sequence_length: actual })).toBe(expected);
});
