import fc from 'fast-check';
import { snappyUncompress as hyparquetUncompress } from 'hyparquet/src/snappy.js';
import { describe, expect, test } from 'vitest';
import { ByteSink } from '../../../src/parquet/bytes.ts';
import { snappyUncompress } from '../../../src/parquet/read/snappy.ts';
import { snappyCompress } from '../../../src/parquet/write/snappy.ts';

function compress(input: Uint8Array): Uint8Array {
  const sink = new ByteSink();
  snappyCompress(input, sink);
  return sink.view().slice();
}

function uncompressWithHyparquet(input: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  hyparquetUncompress(input, output);
  return output;
}

const createRepeating = (period: number, size: number) =>
  Uint8Array.from({ length: size }, (_, i) => (i % period) * 7);
const createRandom = (size: number) => {
  let state = 1;
  return Uint8Array.from({ length: size }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
};

describe('a compressed block', () => {
  test.each([
    ['an empty block', new Uint8Array(0)],
    ['one byte', Uint8Array.of(7)],
    ['18 bytes, too few to search for matches', createRepeating(2, 18)],
    ['zeros', new Uint8Array(100_000)],
    ['a short period', createRepeating(3, 1000)],
    ['a literal of 61 bytes', createRandom(61)],
    ['a literal of 257 bytes', createRandom(257)],
    ['a literal of more than 64 KiB', createRandom(70_000)],
    [
      'a match at an offset of more than 64 KiB',
      Uint8Array.from([...createRandom(80_000), ...createRandom(80_000)]),
    ],
  ])('is read back: %s', (_, input) => {
    const block = compress(input);
    expect(Buffer.compare(snappyUncompress(block, input.length), input)).toBe(0);
    expect(Buffer.compare(uncompressWithHyparquet(block, input.length), input)).toBe(0);
  });

  test('is read back for any content', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 80 }),
        fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 12 }), fc.nat(200)).map(([unit, times]) => {
          return Uint8Array.from({ length: unit.length * times }, (_, i) => unit[i % unit.length]!);
        }),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(pieces, chunks => {
        const input = Buffer.concat(chunks);
        const block = compress(input);
        expect(Buffer.compare(snappyUncompress(block, input.length), input)).toBe(0);
        expect(Buffer.compare(uncompressWithHyparquet(block, input.length), input)).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

test('repeating data is compressed, also if its period is longer than 64 KiB', () => {
  expect(compress(createRepeating(200, 100_000)).length).toBeLessThan(6000);
  expect(compress(Uint8Array.from([...createRandom(80_000), ...createRandom(80_000)])).length).toBeLessThan(
    90_000,
  );
});

test('reads elements that the compressor does not write', () => {
  // A literal with a four-byte length, and copies with offsets of one, two and four bytes. The last copy
  // overlaps itself.
  const block = [
    16,
    63 << 2,
    3,
    0,
    0,
    0,
    97,
    98,
    99,
    100,
    1,
    4,
    (3 << 2) | 2,
    8,
    0,
    (3 << 2) | 3,
    1,
    0,
    0,
    0,
  ];
  expect(Buffer.from(snappyUncompress(Uint8Array.from(block), 16)).toString()).toBe('abcdabcdabcddddd');
});

describe('a corrupt block is rejected', () => {
  // A block starts with its uncompressed size. Then tag 4 * (n - 1) precedes a literal of n bytes, and tag
  // 4 * n - 15 precedes the offset of a copy of n bytes.
  const cases: readonly (readonly [string, readonly number[], number, string])[] = [
    ['without a length', [], 0, 'its length is truncated'],
    ['with a length of more than five bytes', [255, 255, 255, 255, 255, 1], 1, 'its length is truncated'],
    [
      'whose size differs from the page header',
      [4, 12, 1, 2, 3, 4],
      5,
      'it states 4 bytes, but the page header 5',
    ],
    [
      'that claims 2 GB',
      [255, 255, 255, 255, 7, 0, 1],
      2 ** 31 - 1,
      '7 bytes cannot decompress to 2147483647',
    ],
    ['that is truncated in a literal', [8, 28, 1, 2], 8, 'a literal is truncated'],
    ['that is truncated in the length of a literal', [8, 61 << 2, 1], 8, 'a literal is truncated'],
    ['that is truncated in a copy', [8, 0, 1, 2], 8, 'a copy is truncated'],
    ['that is shorter than it states', [8, 0, 1], 8, 'it has fewer than 8 bytes'],
    ['with a literal that is too long', [1, 4, 1, 2], 1, 'it has more than 1 bytes'],
    ['with a copy that is too long', [5, 0, 1, 21, 1], 5, 'it has more than 5 bytes'],
    ['with a copy from before the start', [8, 0, 1, 1, 2], 8, 'has an offset before the start'],
    ['with a copy at offset 0', [8, 0, 1, 1, 0], 8, 'has an offset before the start'],
  ];
  test.each(cases)('%s', (_, block, size, message) => {
    expect(() => snappyUncompress(Uint8Array.from(block), size)).toThrow(message);
  });
});
