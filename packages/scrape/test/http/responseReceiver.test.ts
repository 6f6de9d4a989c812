import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { BufferPool } from '../../src/http/bufferPool.ts';
import { type BodyHandling, ResponseReceiver } from '../../src/http/responseReceiver.ts';

/** A receipt, what it was told to do about the connection, and the pool. */
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
  ['not announced', {}],
  ['announced too short', { 'content-length': '1' }],
])('a body in pieces, its length %s', async (_, headers) => {
  const { receipt, controller } = receiptFor('keep');
  receipt.onResponseStart(controller, 200, headers);
  for (const piece of ['a 1', '\nb', '\n']) receipt.onResponseData(controller, Buffer.from(piece));
  receipt.onResponseEnd();
  expect(await receipt.done).toEqual({ status: 200, headers });
  expect(Buffer.from(receipt.body).toString()).toBe('a 1\nb\n');
});

test('a body larger than its room has another one', async () => {
  const { receipt, controller } = receiptFor('keep');
  receipt.onResponseStart(controller, 200, {});
  const piece = Buffer.alloc(50_000, 'x');
  for (let i = 0; i < 10; i++) receipt.onResponseData(controller, piece);
  receipt.onResponseEnd();
  await receipt.done;
  expect(Buffer.compare(receipt.body, Buffer.alloc(500_000, 'x'))).toBe(0);
});

test('informational answers come before the answer', async () => {
  const { receipt, controller } = receiptFor('keep');
  receipt.onResponseStart(controller, 103, { link: 'x' });
  receipt.onResponseStart(controller, 200, {});
  receipt.onResponseEnd();
  expect((await receipt.done).status).toBe(200);
  expect(receipt.body).toHaveLength(0);
});

test('memory that was released is used by the next answer', async () => {
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

test('what comes after the end of an exchange is nobody’s', async () => {
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

test('ended before it was sent, it is ended when it is', async () => {
  const { controller, aborted, pool } = receiptFor('keep');
  const receipt = new ResponseReceiver({ pool, onHead: () => 'keep', onBytes: () => {} });
  receipt.abort(new Error('over'));
  receipt.onRequestStart(controller);
  expect(aborted).toEqual(['the exchange is over']);
  await expect(receipt.done).rejects.toThrow('over');
});

test.each([
  ['announced', { 'content-length': '70000' }, 0],
  ['not announced', {}, 3],
])('of a body of no use little is read, its length %s', async (_, headers, pieces) => {
  const { receipt, controller, aborted } = receiptFor('discard');
  receipt.onResponseStart(controller, 503, headers);
  for (let i = 0; i < pieces; i++) receipt.onResponseData(controller, Buffer.alloc(30_000));
  expect((await receipt.done).status).toBe(503);
  expect(aborted).toEqual(['the body is discarded']);
});

test('a body of no use may break off', async () => {
  const { receipt, controller, aborted } = receiptFor('discard');
  receipt.onResponseStart(controller, 302, { location: '/b' });
  receipt.onResponseError(controller, new Error('cut'));
  expect((await receipt.done).status).toBe(302);
  expect(aborted).toEqual([]);
});

test('what is thrown about the head or the bytes is thrown to undici, which says so', async () => {
  const { receipt, controller } = receiptFor('keep', bytes => {
    throw new Error(`${bytes} bytes`);
  });
  receipt.onResponseStart(controller, 200, {});
  expect(() => receipt.onResponseData(controller, Buffer.alloc(5))).toThrow('5 bytes');
  receipt.onResponseError(controller, new Error('5 bytes'));
  await expect(receipt.done).rejects.toThrow('5 bytes');
});
