import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from '../../src/http/contentEncoding.ts';

const TEXT = 'a 1\n';

describe('decodeBody', () => {
  test.each([
    [undefined, Buffer.from(TEXT)],
    ['', Buffer.from(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT)],
    [' GZIP ', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
  ])('decodes %j', async (encoding, encoded) => {
    expect(Buffer.from(await decodeBody(encoded, encoding, 100)).toString()).toBe(TEXT);
  });

  test('does not copy a body without an encoding', async () => {
    const body = Buffer.from(TEXT);
    expect(await decodeBody(body, 'identity', 4)).toBe(body);
  });

  test.each<[string, Buffer, string, string]>([
    [
      'identity',
      Buffer.alloc(101),
      'too_large',
      'sent a body of 101 bytes; the limit is 100; use --limit decoded_bytes=N to raise it',
    ],
    [
      'br',
      brotliCompressSync(Buffer.alloc(101)),
      'too_large',
      'decompress to more than 100 bytes; the limit is 100; use --limit decoded_bytes=N to raise it',
    ],
    ['deflate', Buffer.from('hello'), 'encoding', 'sent a deflate body that cannot be decompressed'],
    [
      'toString',
      Buffer.from(TEXT),
      'encoding',
      'sent a content-encoding "tostring"; expected gzip, x-gzip, deflate, br',
    ],
    [
      'Bearer s3cret',
      Buffer.from(TEXT),
      'encoding',
      'sent a content-encoding that is not a valid name; expected gzip, x-gzip, deflate, br',
    ],
  ])('rejects invalid data with the encoding %s: %s', async (encoding, encoded, reason, message) => {
    await expect(decodeBody(encoded, encoding, 100)).rejects.toMatchObject({
      reason,
      message: expect.stringContaining(message),
    });
  });
});
