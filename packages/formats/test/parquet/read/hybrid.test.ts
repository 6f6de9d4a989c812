import { describe, expect, test } from 'vitest';
import { HybridDecoder } from '../../../src/parquet/read/hybrid.ts';

/**
 * Decodes `count` values. A header is 2 * n for a run of n values, and 2 * n + 1 for n groups of eight packed
 * values.
 */
const decode = (bytes: readonly number[], width: number, count: number) => {
  const values = new Int32Array(count);
  new HybridDecoder(Uint8Array.from(bytes), width).read(values, 0, count);
  return [...values];
};

describe('HybridDecoder', () => {
  test.each([
    ['a run', [10, 7], 3, 5, [7, 7, 7, 7, 7]],
    ['a run of a three-byte value', [4, 1, 2, 3], 20, 2, [0x30201, 0x30201]],
    [
      'bit-packed values (the example of the specification)',
      [3, 0x88, 0xc6, 0xfa],
      3,
      8,
      [0, 1, 2, 3, 4, 5, 6, 7],
    ],
    ['a last group that is truncated after its values', [3, 0x88, 0xc6], 3, 5, [0, 1, 2, 3, 4]],
    ['values of width 0', [6, 3], 0, 4, [0, 0, 0, 0]],
    ['values of 32 bits', [3, 1, 0, 0, 128, ...Array<number>(28).fill(0)], 32, 2, [1 | (128 << 24), 0]],
  ])('reads %s', (_, bytes, width, count, values) => {
    expect(decode(bytes, width, count)).toEqual(values);
  });

  test('continues after the last value of the previous read', () => {
    const decoder = new HybridDecoder(Uint8Array.of(10, 7, 3, 0x88, 0xc6, 0xfa), 3);
    const values = new Int32Array(13);
    for (let at = 0; at < 13; at++) decoder.read(values, at, 1);
    expect([...values]).toEqual([7, 7, 7, 7, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test.each([
    ['an empty page', [], 1, 1, 'truncated'],
    ['too few packed values', [3, 0x88], 3, 8, 'truncated'],
    ['a run without its value', [10], 3, 1, 'truncated'],
    ['an empty run', [0, 1], 1, 1, 'a run has no values'],
    ['an empty bit-packed run', [1], 1, 1, 'a run has no values'],
    ['a header of more than five bytes', [255, 255, 255, 255, 255, 1], 1, 1, 'longer than five bytes'],
    ['a missing second run', [2, 1], 1, 2, 'truncated'],
  ])('rejects %s', (_, bytes, width, count, message) => {
    expect(() => decode(bytes, width, count)).toThrow(message);
  });

  test('rejects values of more than 32 bits', () => {
    expect(() => new HybridDecoder(Uint8Array.of(2, 1), 33)).toThrow('values have 33 bits');
  });
});
