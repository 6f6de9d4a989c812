import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { BufferPool } from '../../src/http/bufferPool.ts';
import { type BodyHandling, ResponseReceiver } from '../../src/http/responseReceiver.ts';

/**
 * Creates a receiver whose request has started. `aborted` lists the messages of the errors that aborted the
 * request.
 */
function createReceiver(handling: BodyHandling, onBytes: (bytes: number) => void = () => {}) {
  const aborted: string[] = [];
  const controller = {
    abort: (error: Error) => aborted.push(error.message),
  } as unknown as Dispatcher.DispatchController;
  const pool = new BufferPool();
  const receiver = new ResponseReceiver({ pool, onHead: () => handling, onBytes });
  receiver.onRequestStart(controller);
  return { receiver, controller, aborted, pool };
}

test.each([
  ['announced', { 'content-length': '6' }],
  ['missing', {}],
  ['too short', { 'content-length': '1' }],
])('assembles a body in chunks with a Content-Length that is %s', async (_, headers) => {
  const { receiver, controller } = createReceiver('keep');
  receiver.onResponseStart(controller, 200, headers);
  for (const chunk of ['a 1', '\nb', '\n']) receiver.onResponseData(controller, Buffer.from(chunk));
  receiver.onResponseEnd();
  expect(await receiver.done).toEqual({ status: 200, headers });
  expect(Buffer.from(receiver.body).toString()).toBe('a 1\nb\n');
});

test('grows the buffer for a larger body', async () => {
  const { receiver, controller } = createReceiver('keep');
  receiver.onResponseStart(controller, 200, {});
  const chunk = Buffer.alloc(50_000, 'x');
  for (let i = 0; i < 10; i++) receiver.onResponseData(controller, chunk);
  receiver.onResponseEnd();
  await receiver.done;
  expect(Buffer.compare(receiver.body, Buffer.alloc(500_000, 'x'))).toBe(0);
});

test('ignores informational responses', async () => {
  const { receiver, controller } = createReceiver('keep');
  receiver.onResponseStart(controller, 103, { link: 'x' });
  receiver.onResponseStart(controller, 200, {});
  receiver.onResponseEnd();
  expect((await receiver.done).status).toBe(200);
  expect(receiver.body).toHaveLength(0);
});

test('reuses released memory for the next response', async () => {
  const { receiver, controller, pool } = createReceiver('keep');
  receiver.onResponseStart(controller, 200, { 'content-length': '4' });
  receiver.onResponseData(controller, Buffer.from('a 1\n'));
  receiver.onResponseEnd();
  const { buffer } = receiver.body;
  receiver.release();
  receiver.release();
  expect(pool.take(4).buffer).toBe(buffer);
  expect(pool.take(4).buffer).not.toBe(buffer);
});

test('ignores events after the end of the exchange', async () => {
  const { receiver, controller, aborted, pool } = createReceiver('keep');
  receiver.onResponseStart(controller, 200, { 'content-length': '4' });
  receiver.onResponseData(controller, Buffer.from('a '));
  const { buffer } = receiver.body;
  receiver.abort(new Error('over'));
  const reused = pool.take(4);
  expect(reused.buffer).toBe(buffer);
  reused.fill(7);
  receiver.onResponseData(controller, Buffer.from('1\n'));
  receiver.onResponseEnd();
  expect([...reused].every(byte => byte === 7)).toBe(true);
  await expect(receiver.done).rejects.toThrow('over');
  expect(aborted).toEqual(['over']);
});

test('aborts a request that starts after the receiver was aborted', async () => {
  const { controller, aborted, pool } = createReceiver('keep');
  const receiver = new ResponseReceiver({ pool, onHead: () => 'keep', onBytes: () => {} });
  receiver.abort(new Error('over'));
  receiver.onRequestStart(controller);
  expect(aborted).toEqual(['the exchange is over']);
  await expect(receiver.done).rejects.toThrow('over');
});

test.each([
  ['announced', { 'content-length': '70000' }, 0],
  ['missing', {}, 3],
])('stops reading a long discarded body with a Content-Length that is %s', async (_, headers, chunks) => {
  const { receiver, controller, aborted } = createReceiver('discard');
  receiver.onResponseStart(controller, 503, headers);
  for (let i = 0; i < chunks; i++) receiver.onResponseData(controller, Buffer.alloc(30_000));
  expect((await receiver.done).status).toBe(503);
  expect(aborted).toEqual(['the body is discarded']);
});

test('accepts a truncated discarded body', async () => {
  const { receiver, controller, aborted } = createReceiver('discard');
  receiver.onResponseStart(controller, 302, { location: '/b' });
  receiver.onResponseError(controller, new Error('cut'));
  expect((await receiver.done).status).toBe(302);
  expect(aborted).toEqual([]);
});

test('rejects with an error thrown by onBytes', async () => {
  const { receiver, controller } = createReceiver('keep', bytes => {
    throw new Error(`${bytes} bytes`);
  });
  receiver.onResponseStart(controller, 200, {});
  expect(() => receiver.onResponseData(controller, Buffer.alloc(5))).toThrow('5 bytes');
  receiver.onResponseError(controller, new Error('5 bytes'));
  await expect(receiver.done).rejects.toThrow('5 bytes');
});
