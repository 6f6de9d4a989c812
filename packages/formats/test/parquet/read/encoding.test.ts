import { expect, test } from 'vitest';
import { createCodeDecoder, Encoding, isDictionaryEncoding } from '../../../src/parquet/read/encoding.ts';

test('both dictionary encodings of the specification are recognized', () => {
  const dictionaryEncodings = Object.entries(Encoding).filter(([, encoding]) =>
    isDictionaryEncoding(encoding),
  );
  expect(dictionaryEncodings.map(([name]) => name)).toEqual(['PLAIN_DICTIONARY', 'RLE_DICTIONARY']);
});

test('createCodeDecoder reads the width from the first byte', () => {
  const codes = new Int32Array(3);
  createCodeDecoder(Uint8Array.of(8, 6, 200)).read(codes, 0, 3);
  expect([...codes]).toEqual([200, 200, 200]);
});

test('createCodeDecoder accepts a page without values, which can omit the width', () => {
  expect(() => createCodeDecoder(new Uint8Array()).read(new Int32Array(0), 0, 0)).not.toThrow();
});
