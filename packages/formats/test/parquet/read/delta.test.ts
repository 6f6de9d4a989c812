import { describe, expect, test } from 'vitest';
import { DeltaDecoder, readLengths } from '../../../src/parquet/read/delta.ts';

describe('DeltaDecoder', () => {
  test('reads the examples of the specification', () => {
    // Encodings.md: 1..5 has deltas of 1 and width 0; 7, 5, 3, 1, 2, 3, 4, 5 has a minimum delta of -2 and width 2.
    const header = [0x80, 0x01, 0x04];
    const constant = new DeltaDecoder(Uint8Array.from([...header, 5, 2, 2, 0, 0, 0, 0]));
    expect(Array.from({ length: 5 }, () => constant.next())).toEqual([1n, 2n, 3n, 4n, 5n]);
    const bits = [0b11000000, 0b00111111, 0, 0, 0, 0, 0, 0];
    const varied = new DeltaDecoder(Uint8Array.from([...header, 8, 14, 3, 2, 0, 0, 0, ...bits, 99]));
    expect(Array.from({ length: 8 }, () => varied.next())).toEqual([7n, 5n, 3n, 1n, 2n, 3n, 4n, 5n]);
    expect(() => varied.next()).toThrow('the page has only 8 delta values');
  });

  test('is positioned after the values when the last one is read', () => {
    const decoder = new DeltaDecoder(Uint8Array.from([0x80, 0x01, 0x04, 1, 14, 99]));
    expect(decoder.next()).toBe(7n);
    expect(decoder.at).toBe(5);
  });

  test.each([
    ['no parts', [0x80, 0x01, 0, 5, 2], 'invalid delta blocks: 128 values in 0 miniblocks'],
    ['parts of odd size', [0x09, 1, 5, 2], 'invalid delta blocks: 9 values in 1 miniblocks'],
    ['a header that is truncated', [0x80], 'truncated'],
    ['parts of more than 64 bits', [0x80, 0x01, 0x04, 5, 2, 2, 65, 0, 0, 0], 'truncated'],
    ['missing bits', [0x80, 0x01, 0x04, 5, 2, 2, 64, 0, 0, 0, 1], 'truncated'],
  ])('rejects %s', (_, bytes, message) => {
    expect(() => {
      const decoder = new DeltaDecoder(Uint8Array.from(bytes));
      decoder.next();
      decoder.next();
    }).toThrow(message);
  });

  test('lengths must not be negative or too large', () => {
    expect(() => readLengths(Uint8Array.from([0x80, 0x01, 0x04, 1, 1]))).toThrow(
      'a string has a length of -1 bytes',
    );
    expect(() => readLengths(Uint8Array.from([0x80, 0x01, 0x04, 0xff, 0xff, 0xff, 0xff, 0x0f, 1]))).toThrow(
      'a page has 4294967295 delta values',
    );
  });
});
