import { describe, expect, test } from 'vitest';
import { DeltaDecoder, readLengths } from '../../../src/parquet/read/delta.ts';

describe('DeltaDecoder', () => {
  test('reads the examples of the specification', () => {
    // Examples in Encodings.md: the values 1 to 5 have a minimum delta of 1 and width 0; the values 7, 5, 3,
    // 1, 2, 3, 4, 5 have a minimum delta of -2 and width 2.
    const header = [0x80, 0x01, 0x04];
    const constant = new DeltaDecoder(Uint8Array.from([...header, 5, 2, 2, 0, 0, 0, 0]));
    expect(Array.from({ length: 5 }, () => constant.next())).toEqual([1n, 2n, 3n, 4n, 5n]);
    const bits = [0b11000000, 0b00111111, 0, 0, 0, 0, 0, 0];
    const varied = new DeltaDecoder(Uint8Array.from([...header, 8, 14, 3, 2, 0, 0, 0, ...bits, 99]));
    expect(Array.from({ length: 8 }, () => varied.next())).toEqual([7n, 5n, 3n, 1n, 2n, 3n, 4n, 5n]);
    expect(() => varied.next()).toThrow('the page has only 8 delta values');
  });

  test('is positioned after the encoded values when the last value is read', () => {
    const decoder = new DeltaDecoder(Uint8Array.from([0x80, 0x01, 0x04, 1, 14, 99]));
    expect(decoder.next()).toBe(7n);
    expect(decoder.at).toBe(5);
  });

  test.each([
    ['a header with 0 miniblocks', [0x80, 0x01, 0, 5, 2], 'invalid delta blocks: 128 values in 0 miniblocks'],
    [
      'miniblocks whose size is not a multiple of 8',
      [0x09, 1, 5, 2],
      'invalid delta blocks: 9 values in 1 miniblocks',
    ],
    ['a truncated header', [0x80], 'truncated'],
    ['a width of more than 64 bits', [0x80, 0x01, 0x04, 5, 2, 2, 65, 0, 0, 0], 'truncated'],
    ['a truncated miniblock', [0x80, 0x01, 0x04, 5, 2, 2, 64, 0, 0, 0, 1], 'truncated'],
  ])('rejects %s', (_, bytes, message) => {
    expect(() => {
      const decoder = new DeltaDecoder(Uint8Array.from(bytes));
      decoder.next();
      decoder.next();
    }).toThrow(message);
  });

  test('rejects a negative length and too many lengths', () => {
    expect(() => readLengths(Uint8Array.from([0x80, 0x01, 0x04, 1, 1]))).toThrow(
      'a string has a length of -1 bytes',
    );
    expect(() => readLengths(Uint8Array.from([0x80, 0x01, 0x04, 0xff, 0xff, 0xff, 0xff, 0x0f, 1]))).toThrow(
      'a page has 4294967295 delta values',
    );
  });
});
