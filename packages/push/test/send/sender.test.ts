import { expect, test } from 'vitest';
import type { EncodedBatch, Reply } from '../../src/protocols/protocol.ts';
import { RemoteWrite } from '../../src/protocols/remoteWrite.ts';
import { MAX_BATCHES } from '../../src/send/batchQueue.ts';
import { EncodingCache } from '../../src/send/encodingCache.ts';
import { SendError } from '../../src/send/httpClient.ts';
import { Sender } from '../../src/send/sender.ts';
import { createBatch, createCursor } from '../support/batches.ts';

/** The response of a receiver to a request: a status, a refused connection, or silence until the end. */
type Step = number | { readonly status: number; readonly retryAfter: string } | 'refused' | 'silent';

const WRITTEN = 'x-prometheus-remote-write-samples-written';

/** A receiver with planned responses, and a clock without waiting. The last response is repeated. */
function createReceiver(steps: readonly Step[]) {
  const received: EncodedBatch[] = [];
  const pauses: number[] = [];
  let nowMs = 0;
  let isClosed = false;
  const client = {
    send: async (batch: EncodedBatch, signal: AbortSignal): Promise<Reply> => {
      received.push(batch);
      const step = steps[Math.min(received.length, steps.length) - 1]!;
      if (step === 'refused') throw new SendError('connection refused');
      if (step === 'silent')
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new SendError('aborted'))),
        );
      const { status, retryAfter } =
        typeof step === 'object' ? step : { status: step as number, retryAfter: undefined };
      const headers = { [WRITTEN]: status < 300 ? '1' : undefined, 'retry-after': retryAfter };
      return { status, headers, body: new Uint8Array() };
    },
    close: () => {
      isClosed = true;
    },
  };
  const clock = {
    nowMs: () => nowMs,
    random: () => 0,
    pause: async (ms: number, signal: AbortSignal) => {
      await new Promise(resolve => setImmediate(resolve));
      if (signal.aborted) return;
      pauses.push(ms);
      nowMs += ms;
    },
  };
  const sender = new Sender(new RemoteWrite(), client, new EncodingCache(), clock);
  return { received, pauses, sender, isClosed: () => isClosed };
}

/** Waits until the receiver has received a number of requests. */
async function waitForRequests(received: readonly unknown[], count: number): Promise<void> {
  await expect.poll(() => received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
}

test('sends batches in order over one connection, and closes it', async () => {
  const { sender, received, isClosed } = createReceiver([204]);
  for (const value of [1, 2, 3]) sender.add(createBatch(value));
  sender.addStatistics(createCursor([createBatch(4)]));
  expect(await sender.close(5000)).toEqual({
    sentPoints: 4,
    requests: 4,
    retries: 0,
    droppedPoints: 0,
    rejectedPoints: 0,
    undeliveredPoints: 0,
    lastProblem: undefined,
  });
  expect(received).toHaveLength(4);
  expect(isClosed()).toBe(true);
});

test('does not encode or send anything before the caller continues', () => {
  const { sender, received } = createReceiver([204]);
  sender.add(createBatch());
  expect(received).toHaveLength(0);
});

test.each([
  ['a receiver that is down at first', ['refused', 'refused', 204], 'connection refused', [1000, 2000]],
  ['an overloaded receiver', [503, 503, 503, 204], 'HTTP 503', [1000, 2000, 4000]],
  ['a receiver that names a delay', [{ status: 429, retryAfter: '7' }, 204], 'HTTP 429', [7000]],
] as const)('repeats a request to %s', async (_, steps, lastProblem, pauses) => {
  const receiver = createReceiver(steps);
  receiver.sender.add(createBatch());
  await waitForRequests(receiver.received, steps.length);
  expect(await receiver.sender.close(5000)).toMatchObject({
    sentPoints: 1,
    requests: steps.length,
    retries: steps.length - 1,
    lastProblem,
  });
  expect(receiver.pauses.slice(0, pauses.length)).toEqual(pauses);
});

test.each([400, 401, 403, 404])('does not repeat a request after status %i', async status => {
  const { sender, received } = createReceiver([status]);
  sender.add(createBatch());
  sender.add(createBatch());
  await waitForRequests(received, 2);
  expect(await sender.close(5000)).toMatchObject({
    sentPoints: 0,
    requests: 2,
    retries: 0,
    rejectedPoints: 2,
    lastProblem: `HTTP ${status}`,
  });
});

test('repeats a request at once with the other version of the protocol', async () => {
  const { sender, received, pauses } = createReceiver([415, 200]);
  sender.add(createBatch());
  await waitForRequests(received, 2);
  expect(await sender.close(5000)).toMatchObject({ sentPoints: 1, requests: 2, retries: 0 });
  expect(received.map(({ headers }) => headers['x-prometheus-remote-write-version'])).toEqual([
    '2.0.0',
    '0.1.0',
  ]);
  expect(pauses.filter(ms => ms < 5000)).toEqual([]);
});

test('drops the oldest batches while a receiver does not respond, and counts what is lost at the end', async () => {
  const { sender, received } = createReceiver(['silent']);
  sender.add(createBatch(0));
  await waitForRequests(received, 1);
  for (let value = 1; value <= MAX_BATCHES + 10; value++) sender.add(createBatch(value));
  expect(await sender.close(5000)).toMatchObject({
    sentPoints: 0,
    droppedPoints: 10,
    undeliveredPoints: MAX_BATCHES + 1,
    lastProblem: 'no response before the end of the run',
  });
});

test('gives up a receiver that stays down', async () => {
  const { sender } = createReceiver(['refused']);
  sender.add(createBatch());
  sender.add(createBatch());
  expect(await sender.close(5000)).toMatchObject({
    sentPoints: 0,
    undeliveredPoints: 2,
    lastProblem: 'connection refused',
  });
});

test('counts values that a library cannot encode as rejected, and sends the next ones', async () => {
  const { sender, received } = createReceiver([204]);
  const invalid = createBatch(0, [{ definition: null as never, points: [{ labels: {}, value: 1 }] }]);
  sender.add(invalid);
  sender.add(createBatch());
  await waitForRequests(received, 1);
  const { lastProblem, ...counts } = await sender.close(5000);
  expect(counts).toMatchObject({ sentPoints: 1, rejectedPoints: 1 });
  expect(lastProblem).toMatch(/^cannot send values: /);
});

test('an error while statistics are read is reported', async () => {
  const { sender } = createReceiver([204]);
  sender.addStatistics(createCursor([createBatch(), new Error('damaged'), createBatch()]));
  sender.addStatistics(createCursor([createBatch()]));
  expect(await sender.close(5000)).toMatchObject({
    sentPoints: 2,
    undeliveredPoints: 1,
    lastProblem: 'cannot read statistics: damaged',
  });
});

test('without batches, closes at once', async () => {
  const { sender, received } = createReceiver([204]);
  expect(await sender.close(5000)).toMatchObject({ requests: 0, sentPoints: 0 });
  expect(received).toHaveLength(0);
});

test('sends a batch that is added as soon as the queue is empty', async () => {
  const { sender, received } = createReceiver([204]);
  let isAdded = false;
  sender.addStatistics(
    createCursor([createBatch()], part => {
      if (part === 0 || isAdded) return;
      isAdded = true;
      queueMicrotask(() => queueMicrotask(() => sender.add(createBatch())));
    }),
  );
  await waitForRequests(received, 2);
  expect(await sender.close(5000)).toMatchObject({ sentPoints: 2 });
});
