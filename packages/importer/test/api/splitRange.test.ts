import { describe, expect, test } from 'vitest';
import { splitBySamples, splitRange } from '../../src/api/splitRange.ts';

describe('splitRange', () => {
  test.each([
    [
      'a range that is a multiple of a piece',
      0,
      199,
      100,
      [
        [0, 100],
        [100, 200],
      ],
    ],
    [
      'a range with a shorter last piece',
      0,
      120,
      100,
      [
        [0, 100],
        [100, 121],
      ],
    ],
    [
      'a range whose end is the start of a piece',
      0,
      100,
      100,
      [
        [0, 100],
        [100, 101],
      ],
    ],
    ['a single millisecond', 7, 7, 100, [[7, 8]]],
  ])('includes both ends of %s', (_, fromMs, toMs, pieceMs, expected) => {
    expect(splitRange(fromMs, toMs, pieceMs).map(range => [range.fromMs, range.toMs])).toEqual(expected);
  });
});

describe('splitBySamples', () => {
  const range = { fromMs: 1000, toMs: 1100 };

  test.each([
    ['keeps a range without samples', 0, 10, [[1000, 1100]]],
    ['keeps a range with the maximum number of samples', 10, 10, [[1000, 1100]]],
    [
      'splits a range with one sample more',
      11,
      10,
      [
        [1000, 1050],
        [1050, 1100],
      ],
    ],
    [
      'rounds the length of parts up',
      25,
      10,
      [
        [1000, 1034],
        [1034, 1068],
        [1068, 1100],
      ],
    ],
    ['splits to milliseconds at most', 1e6, 1, Array.from({ length: 100 }, (_, n) => [1000 + n, 1001 + n])],
  ])('%s', (_, samples, maxSamples, expected) => {
    const parts = splitBySamples(range, samples, maxSamples);
    expect(parts.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual(expected);
  });
});
