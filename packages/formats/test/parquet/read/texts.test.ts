import { describe, expect, test } from 'vitest';
import { Encoding } from '../../../src/parquet/read/encoding.ts';
import { createByteArrayDecoder } from '../../../src/parquet/read/texts.ts';

function readTexts(encoding: number, body: Uint8Array, count: number): string[] {
  const decoder = createByteArrayDecoder(encoding, body);
  return Array.from({ length: count }, () => Buffer.from(decoder.next()).toString());
}

/** Encodes `count` values as DELTA_BINARY_PACKED: `first`, and then values that increase by `step`. */
function encodeAscending(first: number, step: number, count: number): number[] {
  // Blocks of 128 values in one miniblock of width 0: only the minimum delta is stored.
  return [128, 1, 1, count, first * 2, ...(count > 1 ? [step * 2, 0] : [])];
}

test('decodes PLAIN: each string is preceded by its length', () => {
  const body = Buffer.from([2, 0, 0, 0, 0x61, 0x62, 0, 0, 0, 0, 1, 0, 0, 0, 0x63]);
  expect(readTexts(Encoding.PLAIN, body, 3)).toEqual(['ab', '', 'c']);
});

test('decodes DELTA_LENGTH_BYTE_ARRAY: all lengths, then all strings', () => {
  const body = Buffer.concat([Buffer.from(encodeAscending(1, 1, 3)), Buffer.from('abbccc')]);
  expect(readTexts(Encoding.DELTA_LENGTH_BYTE_ARRAY, body, 3)).toEqual(['a', 'bb', 'ccc']);
});

test('decodes DELTA_BYTE_ARRAY: shared prefixes, then suffixes', () => {
  const prefixes = encodeAscending(0, 2, 3);
  const suffixLengths = encodeAscending(2, 0, 3);
  const body = Buffer.concat([Buffer.from([...prefixes, ...suffixLengths]), Buffer.from('abcdef')]);
  expect(readTexts(Encoding.DELTA_BYTE_ARRAY, body, 3)).toEqual(['ab', 'abcd', 'abcdef']);
});

describe('rejects', () => {
  test.each([
    ['a truncated length', Encoding.PLAIN, [2, 0], 'the values of a page are truncated'],
    [
      'a truncated string',
      Encoding.PLAIN,
      [9, 0, 0, 0, 0x61],
      'a string states 9 bytes, but only 1 are left',
    ],
    [
      'strings that are shorter than their lengths',
      Encoding.DELTA_LENGTH_BYTE_ARRAY,
      encodeAscending(5, 0, 1),
      'the values of a page are truncated',
    ],
    [
      'a prefix that is longer than the previous string',
      Encoding.DELTA_BYTE_ARRAY,
      [...encodeAscending(3, 0, 1), ...encodeAscending(0, 0, 1)],
      'the values of a page are truncated',
    ],
    [
      'an encoding of numbers',
      Encoding.BYTE_STREAM_SPLIT,
      [],
      'a page has encoding 9; supported are PLAIN, dictionary, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY',
    ],
  ])('%s', (_, encoding, body, message) => {
    expect(() => readTexts(encoding, Uint8Array.from(body), 1)).toThrow(message);
  });
});
