import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { uncompress } from '../../../src/parquet/read/codec.ts';

const CODEC = { uncompressed: 0, snappy: 1, gzip: 2, lzo: 3, brotli: 4, lz4: 5 };
const text = Buffer.from('abcdabcdabcd');

describe('uncompress', () => {
  test.each([
    ['uncompressed', CODEC.uncompressed, text],
    ['snappy', CODEC.snappy, Buffer.concat([Buffer.from([12, 11 << 2]), text])],
    ['gzip', CODEC.gzip, gzipSync(text)],
    ['brotli', CODEC.brotli, brotliCompressSync(text)],
  ])('decompresses data with the codec %s', (_, codec, bytes) => {
    expect(Buffer.from(uncompress(codec, bytes, text.length)).toString()).toBe(text.toString());
    expect(() => uncompress(codec, bytes, text.length - 1)).toThrow();
    expect(() => uncompress(codec, bytes, text.length + 1)).toThrow();
  });

  test.each(Object.values(CODEC))('accepts an empty page with codec %i', codec => {
    expect(uncompress(codec, new Uint8Array(0), 0)).toHaveLength(0);
  });

  test.each([
    [CODEC.lzo, 'LZO'],
    [CODEC.lz4, 'LZ4'],
    [99, 'codec 99'],
    [-1, 'codec -1'],
  ])('rejects the unsupported codec %i', (codec, name) => {
    expect(() => uncompress(codec, text, 12)).toThrow(
      `compression ${name}: not supported; expected SNAPPY, GZIP`,
    );
  });

  test.each([CODEC.gzip, CODEC.brotli])('rejects bytes that were not compressed with codec %i', codec => {
    expect(() => uncompress(codec, text, 12)).toThrow('cannot decompress 12 bytes');
  });
});
