import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';
import { decompress } from '../../src/response/contentEncoding.ts';
import { EventStreamReader } from '../../src/response/eventStreamReader.ts';
import { ParsedResponse } from '../../src/response/response.ts';
import { DONE, formatChatEvent } from '../support/server.ts';

const stream = formatChatEvent('a') + formatChatEvent('ü').repeat(200) + DONE;

async function readResponse(encoding: string, pieces: readonly Uint8Array[]): Promise<ParsedResponse> {
  const response = new ParsedResponse();
  const reader = decompress(encoding, new EventStreamReader(ENDPOINTS.chat, response), response);
  for (const [index, piece] of pieces.entries()) reader.readBytes(index, piece);
  await new Promise<void>(resolve => reader.end(true, resolve));
  return response;
}

test.each([
  ['gzip', gzipSync(stream)],
  ['x-gzip', gzipSync(stream)],
  ['GZIP', gzipSync(stream)],
  ['deflate', deflateSync(stream)],
  ['br', brotliCompressSync(stream)],
  ['identity', Buffer.from(stream)],
  ['', Buffer.from(stream)],
])('decompresses content-encoding "%s"', async (encoding, bytes) => {
  const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 40), bytes.subarray(40)];
  const response = await readResponse(encoding, pieces);
  expect(response.failure).toBeUndefined();
  expect([response.content.pieces, response.isDone]).toEqual([201, true]);
});

test('assigns decompressed bytes the time of their read', async () => {
  // Two gzip members, one per read.
  const response = await readResponse('gzip', [
    gzipSync(formatChatEvent('a')),
    gzipSync(formatChatEvent('b')),
  ]);
  expect([...response.content.times]).toEqual([0, 1]);
});

test.each([
  ['zstd', Buffer.from('x'), 'content-encoding is "zstd"; expected gzip'],
  ['gzip', Buffer.from('no gzip at all'), 'cannot decompress the response body'],
  ['gzip', gzipSync(stream).subarray(0, -12), 'cannot decompress the response body: unexpected end of file'],
  [
    'deflate',
    deflateSync(stream).subarray(0, -6),
    'cannot decompress the response body: unexpected end of file',
  ],
  ['br', brotliCompressSync(stream).subarray(0, -3), 'cannot decompress the response body'],
])('reports invalid content with content-encoding %s', async (encoding, bytes, message) => {
  const response = await readResponse(encoding, [bytes]);
  expect(response.failure).toMatchObject({ type: 'ContentEncoding' });
  expect(response.failure?.message).toContain(message);
});
