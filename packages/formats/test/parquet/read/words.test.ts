import { describe, expect, test } from 'vitest';
import { Encoding } from '../../../src/parquet/read/encoding.ts';
import { createWordDecoder } from '../../../src/parquet/read/words.ts';

const VALUES = [1.5, -2, 0.1, 1e300];
const plain = new Uint8Array(Float64Array.from(VALUES).buffer);
const words = new Int32Array(plain.buffer);

function readDoubles(
  encoding: number,
  body: Uint8Array,
  parts: readonly number[],
  dictionary?: Int32Array,
): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  const values = new Float64Array(total);
  const decoder = createWordDecoder(encoding, body, dictionary);
  let from = 0;
  for (const count of parts) {
    decoder.read(new Int32Array(values.buffer), from, count);
    from += count;
  }
  return [...values];
}

/** Groups the bytes of all values by their position, as BYTE_STREAM_SPLIT does. */
function splitBytes(bytes: Uint8Array): Uint8Array {
  const count = bytes.length / 8;
  return bytes.map((_, i) => bytes[(i % count) * 8 + Math.floor(i / count)]!);
}

describe.each([[[4]], [[1, 3]], [[2, 1, 1]]])('reading in parts of %j', parts => {
  test('decodes PLAIN', () => {
    expect(readDoubles(Encoding.PLAIN, plain, parts)).toEqual(VALUES);
  });

  test('decodes BYTE_STREAM_SPLIT', () => {
    expect(readDoubles(Encoding.BYTE_STREAM_SPLIT, splitBytes(plain), parts)).toEqual(VALUES);
  });

  test('decodes dictionary codes', () => {
    // Width 2, one bit-packed group of eight codes: 3, 2, 1, 0 and padding.
    const body = Uint8Array.of(2, 3, 0b00_01_10_11, 0);
    expect(readDoubles(Encoding.RLE_DICTIONARY, body, parts, words)).toEqual([...VALUES].reverse());
  });
});

describe('rejects', () => {
  test.each([
    ['truncated values', Encoding.PLAIN, plain.subarray(1), undefined, 'the values of a page are truncated'],
    [
      'truncated streams',
      Encoding.BYTE_STREAM_SPLIT,
      plain.subarray(8),
      undefined,
      'the values of a page are truncated',
    ],
    [
      'codes without a dictionary',
      Encoding.RLE_DICTIONARY,
      Uint8Array.of(0, 8),
      undefined,
      'a page has dictionary codes, but its column chunk has no dictionary',
    ],
    [
      'a code that is not in the dictionary',
      Encoding.RLE_DICTIONARY,
      Uint8Array.of(3, 8, 7),
      words,
      'code 7 is not in the dictionary of 4 values',
    ],
    [
      'an encoding of strings',
      Encoding.DELTA_BYTE_ARRAY,
      plain,
      undefined,
      'a page has encoding 7; supported are PLAIN, dictionary, DELTA_BINARY_PACKED and BYTE_STREAM_SPLIT',
    ],
  ])('%s', (_, encoding, body, dictionary, message) => {
    expect(() => readDoubles(encoding, body, [4], dictionary)).toThrow(message);
  });
});
