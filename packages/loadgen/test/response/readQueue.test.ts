import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ReadQueue } from '../../src/response/readQueue.ts';
import type { BodyReader } from '../../src/response/response.ts';

test('reads entries later and in order', async () => {
  const readQueue = new ReadQueue();
  const log: string[] = [];
  const createReader = (name: string): BodyReader => ({
    readBytes: (atNs, bytes) => log.push(`${name} ${atNs} ${bytes.length}`),
    end: (isComplete, done) => {
      log.push(`${name} ${isComplete}`);
      done();
    },
  });
  const [a, b] = [createReader('a'), createReader('b')];
  readQueue.addBytes(a, 1, Buffer.alloc(3));
  readQueue.addBytes(b, 2, Buffer.alloc(4));
  readQueue.addBytes(a, 3, Buffer.alloc(5));
  const ended = new Promise<void>(resolve => readQueue.addEnd(b, false, resolve));
  expect(log).toEqual([]);
  await ended;
  expect(log).toEqual(['a 1 3', 'b 2 4', 'a 3 5', 'b false']);
});

test('lets the event loop turn while reading many entries', async () => {
  const readQueue = new ReadQueue();
  let read = 0;
  let turns = 0;
  const slow: BodyReader = {
    readBytes: () => {
      const end = performance.now() + 0.3;
      while (performance.now() < end);
      read += 1;
    },
    end: (_, done) => done(),
  };
  for (let i = 0; i < 40; i++) readQueue.addBytes(slow, i, Buffer.alloc(1));
  const count = (): void => {
    turns += 1;
    if (read < 40) setImmediate(count);
  };
  setImmediate(count);
  await new Promise<void>(resolve => readQueue.addEnd(slow, true, resolve));
  expect(read).toBe(40);
  expect(turns).toBeGreaterThan(8);
});

/** A reader that lists the times of the bytes it reads. */
function createRecorder(read: number[]): BodyReader {
  return { readBytes: atNs => void read.push(atNs), end: (_, done) => done() };
}

/** Stops the monotonic clock; only the test advances it. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('reads one entry per turn during a burst, and the rest after it', async () => {
  stopClock();
  const readQueue = new ReadQueue();
  const read: number[] = [];
  const reader = createRecorder(read);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 10; j++) readQueue.addBytes(reader, 10 * i + j, Buffer.alloc(1));
    await turn();
    expect(read).toEqual(Array.from({ length: i + 1 }, (_, entry) => entry));
  }
  await turn();
  expect(read).toEqual(Array.from({ length: 40 }, (_, i) => i));
});

test('reads more during a burst that lasts too long', async () => {
  stopClock();
  const readQueue = new ReadQueue();
  const read: number[] = [];
  const reader = createRecorder(read);
  for (let i = 0; i < 10; i++) readQueue.addBytes(reader, i, Buffer.alloc(1));
  vi.advanceTimersByTime(10);
  await turn();
  expect(read).toHaveLength(10);
});
