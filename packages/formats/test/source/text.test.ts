import { expect, it } from 'vitest';
import { EncodingError } from '../../src/source/source.ts';
import { decodeText } from '../../src/source/text.ts';

it.each([
  ['text', [0x61, 0xc3, 0xbc], 'aü'],
  ['text with a byte order mark', [0xef, 0xbb, 0xbf, 0x61], 'a'],
  ['no bytes', [], ''],
])('decodes %s', (_, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text);
});

it.each([
  ['at the start', [0xff], 0],
  ['after valid text', [0x61, 0x62, 0xff, 0x63], 2],
  ['that starts an incomplete character', [0x61, 0xc3], 2],
])('reports the offset of an invalid byte %s', (_, bytes, offset) => {
  expect(() => decodeText(Uint8Array.from(bytes))).toThrow(
    new EncodingError(`byte ${offset} is not valid UTF-8`),
  );
});
