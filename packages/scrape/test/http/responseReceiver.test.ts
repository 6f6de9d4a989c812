import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { BufferPool } from '../../src/http/bufferPool.ts';
import { type BodyHandling, ResponseReceiver } from '../../src/http/responseReceiver.ts';

/** A receiver, the calls it made to its connection, and its pool. */
function receiptFor(use: BodyHandling, onBytes: (bytes: number) => void = () => {}) {
  const aborted: string[] = [];
  const controller = {
    abort: (error: Error) => aborted.push(error.message),
  } as unknown as Dispatcher.DispatchController;
  const pool = new BufferPool();
  const receipt = new ResponseReceiver({ pool, onHead: () => use, onBytes });
  receipt.onRequestStart(controller);
  return { receipt, controller, aborted, pool };
}

test.each([
  ['announced', { 'content-length': '6' }],
  ['missing', {}],
  ['too short', { 'content-length': '1' }],
])('assembles a body in chunks with a Content-Length that is %s', async (_, headers) => {
  const { receipt, controller } = receiptFor('keep');
  receipt.onResponseStart(controller, 200, headers);
  for (const piece of ['a 1', '\nb', '\n']) receipt.onResponseData(controller, Buffer.from(piece));
  receipt.onResponseEnd();
  expect(await receipt.done).toEqual({ status: 200, headers });
  expect(Buffer.from(receipt.body).toString()).toBe('a 1\nb\n');
});

test('grows the buffer for a larger body', async () => {
  const { receipt, controller } = receiptFor('keep');
  receipt.onResponseStart(controller, 200, {});
  const piece = Buffer.alloc(50_000, 'x');
  for (let i = 0; i < 10; i++) receipt.onResponseData(controller, piece);
  receipt.onResponseEnd();
  await receipt.done;
  expect(Buffer.compare(receipt.body, Buffer.alloc(500_000, 'x'))).toBe(0);
});

test('ignores informational responses', async () => {
  const { receipt, controller } = receiptFor('keep');
  receipt.onResponseStart(controller, 103, { link: 'x' });
  receipt.onResponseStart(controller, 200, {});
  receipt.onResponseEnd();
  expect((await receipt.done).status).toBe(200);
  expect(receipt.body).toHaveLength(0);
});

test('reuses released memory for the next response', async () => {
  const { receipt, controller, pool } = receiptFor('keep');
  receipt.onResponseStart(controller, 200, { 'content-length': '4' });
  receipt.onResponseData(controller, Buffer.from('a 1\n'));
  receipt.onResponseEnd();
  const { buffer } = receipt.body;
  receipt.release();
  receipt.release();
  expect(pool.take(4).buffer).toBe(buffer);
  expect(pool.take(4).buffer).not.toBe(buffer);
});

test('ignores events after the end of the exchange', async () => {
  const { receipt, controller, aborted, pool } = receiptFor('keep');
  receipt.onResponseStart(controller, 200, { 'content-length': '4' });
  receipt.onResponseData(controller, Buffer.from('a '));
  const { buffer } = receipt.body;
  receipt.abort(new Error('over'));
  const room = pool.take(4);
  expect(room.buffer).toBe(buffer);
  room.fill(7);
  receipt.onResponseData(controller, Buffer.from('1\n'));
  receipt.onResponseEnd();
  expect([...room].every(byte => byte === 7)).toBe(true);
  await expect(receipt.done).rejects.toThrow('over');
  expect(aborted).toEqual(['over']);
});

test('aborts the request when it starts, if aborted before', async () => {
  const { controller, aborted, pool } = receiptFor('keep');
  const receipt = new ResponseReceiver({ pool, onHead: () => 'keep', onBytes: () => {} });
  receipt.abort(new Error('over'));
  receipt.onRequestStart(controller);
  expect(aborted).toEqual(['the exchange is over']);
  await expect(receipt.done).rejects.toThrow('over');
});

test.each([
  ['announced', { 'content-length': '70000' }, 0],
  ['missing', {}, 3],
])('stops reading a long discarded body with a Content-Length that is %s', async (_, headers, pieces) => {
  const { receipt, controller, aborted } = receiptFor('discard');
  receipt.onResponseStart(controller, 503, headers);
  for (let i = 0; i < pieces; i++) receipt.onResponseData(controller, Buffer.alloc(30_000));
  expect((await receipt.done).status).toBe(503);
  expect(aborted).toEqual(['the body is discarded']);
});

test('accepts a truncated discarded body', async () => {
  const { receipt, controller, aborted } = receiptFor('discard');
  receipt.onResponseStart(controller, 302, { location: '/b' });
  receipt.onResponseError(controller, new Error('cut'));
  expect((await receipt.done).status).toBe(302);
  expect(aborted).toEqual([]);
});

test('rejects with errors thrown in onHead and onBytes', async () => {
  const { receipt, controller } = receiptFor('keep', bytes => {
    throw new Error(`${bytes} bytes`);
  });
  receipt.onResponseStart(controller, 200, {});
  expect(() => receipt.onResponseData(controller, Buffer.alloc(5))).toThrow('5 bytes');
  receipt.onResponseError(controller, new Error('5 bytes'));
  await expect(receipt.done).rejects.toThrow('5 bytes');
});
