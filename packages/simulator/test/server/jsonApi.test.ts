import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ApiError, readJsonObject } from '../../src/server/jsonApi.ts';

/** Reads a body that arrives in the given chunks. */
function readChunks(...chunks: readonly (string | Buffer)[]): Promise<Record<string, unknown>> {
  return readJsonObject(Readable.from(chunks.map(chunk => Buffer.from(chunk))) as unknown as IncomingMessage);
}

test('reads a body whose chunks split a character', async () => {
  const bytes = Buffer.from('{"text": "日本"}');
  expect(await readChunks(bytes.subarray(0, 11), bytes.subarray(11))).toEqual({ text: '日本' });
});

test.each([
  ['{"a":', /^the body is not valid JSON: /],
  ['', /^the body is not valid JSON: /],
  ['[]', /^the body is not a JSON object$/],
  ['null', /^the body is not a JSON object$/],
])('rejects the body %j', async (body, message) => {
  await expect(readChunks(body)).rejects.toThrow(message);
  await expect(readChunks(body)).rejects.toMatchObject({ status: 400, type: 'BadRequestError' });
});

test('rejects a body of more than 32 MiB', async () => {
  const chunk = Buffer.alloc(1 << 24, ' ');
  await expect(readChunks(chunk, chunk, '{}')).rejects.toMatchObject({
    status: 413,
    message: 'the body exceeds 33554432 bytes',
  });
});

test.each([
  [401, 'AuthenticationError'],
  [404, 'NotFoundError'],
  [500, 'InternalServerError'],
  [503, 'InternalServerError'],
])('an error with status %d has the type %s', (status, type) => {
  expect(new ApiError(status, 'x')).toMatchObject({ type, param: null });
});
