import { expect, it } from 'vitest';
import { validate } from '../../src/validate/validate.ts';

const encodeUtf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

it.each([
  [
    'UTF-16LE with a byte order mark',
    encodeUtf16('\ufeff{"a": 1}'),
    'text-encoding',
    'it is UTF-16LE; expected UTF-8',
  ],
  ['UTF-16LE', encodeUtf16('{"a": 1}'), 'text-encoding', 'iconv -f UTF-16LE -t UTF-8'],
  ['UTF-16BE', encodeUtf16('{"a": 1}').swap16(), 'text-encoding', 'it is UTF-16BE; expected UTF-8'],
  ['zip', Buffer.from('PK\x03\x04...'), 'file-unreadable', 'cannot read zip data; decompress it first'],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'file-unreadable', 'cannot read zstd data'],
])('names %s', async (_, bytes, rule, message) => {
  expect((await validate(bytes)).issues).toMatchObject([{ rule, message: expect.stringContaining(message) }]);
});
