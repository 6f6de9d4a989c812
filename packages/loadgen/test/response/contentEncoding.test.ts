import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chat } from '../../src/endpoint/chat.ts';
import { decoded } from '../../src/response/contentEncoding.ts';
import { EventReader } from '../../src/response/eventStreamReader.ts';
import { Answer } from '../../src/response/response.ts';
import { DONE, said } from '../support/server.ts';

const stream = said('a') + said('ü').repeat(200) + DONE;

async function read(encoding: string, pieces: readonly Uint8Array[]): Promise<Answer> {
  const answer = new Answer();
  const reader = decoded(encoding, new EventReader(chat, answer), answer);
  for (const [index, piece] of pieces.entries()) reader.bytes(index, piece);
  await new Promise<void>(resolve => reader.end(true, resolve));
  return answer;
}

test.each([
  ['gzip', gzipSync(stream)],
  ['x-gzip', gzipSync(stream)],
  ['GZIP', gzipSync(stream)],
  ['deflate', deflateSync(stream)],
  ['br', brotliCompressSync(stream)],
  ['identity', Buffer.from(stream)],
  ['', Buffer.from(stream)],
])('content-encoding "%s"', async (encoding, bytes) => {
  const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 40), bytes.subarray(40)];
  const answer = await read(encoding, pieces);
  expect(answer.failure).toBeUndefined();
  expect([answer.text.pieces, answer.isDone]).toEqual([201, true]);
});

test('what comes out of a read has the time of that read', async () => {
  // Two members: the second one begins with the second read.
  const answer = await read('gzip', [gzipSync(said('a')), gzipSync(said('b'))]);
  expect([...answer.text.times]).toEqual([0, 1]);
});

test.each([
  ['zstd', Buffer.from('x'), 'content-encoding is "zstd"; expected gzip'],
  ['gzip', Buffer.from('no gzip at all'), 'the body cannot be decompressed'],
])('%s that cannot be read', async (encoding, bytes, message) => {
  const answer = await read(encoding, [bytes, bytes]);
  expect(answer.failure).toMatchObject({ type: 'ContentEncoding' });
  expect(answer.failure?.message).toContain(message);
});
