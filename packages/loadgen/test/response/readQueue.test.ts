import { setImmediate as waitForTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ReadQueue } from '../../src/response/readQueue.ts';
import type { BodyReader } from '../../src/response/response.ts';

test('reads entries asynchronously and in order', async () => {
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
  readQueue.addBytes(a, { atNs: 1 }, Buffer.alloc(3));
  readQueue.addBytes(b, { atNs: 2 }, Buffer.alloc(4));
  readQueue.addBytes(a, { atNs: 3 }, Buffer.alloc(5));
  const ended = new Promise<void>(resolve => readQueue.addEnd(b, false, resolve));
  expect(log).toEqual([]);
  await ended;
  expect(log).toEqual(['a 1 3', 'b 2 4', 'a 3 5', 'b false']);
});

test('lets other events run while it reads many entries', async () => {
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
  for (let i = 0; i < 40; i++) readQueue.addBytes(slow, { atNs: i }, Buffer.alloc(1));
  const countTurn = (): void => {
    turns += 1;
    if (read < 40) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await new Promise<void>(resolve => readQueue.addEnd(slow, true, resolve));
  expect(read).toBe(40);
  expect(turns).toBeGreaterThan(8);
});

/** Creates a reader that records the times of the bytes that it reads. */
function createRecorder(read: number[]): BodyReader {
  return { readBytes: atNs => void read.push(atNs), end: (_, done) => done() };
}

/** Stops the monotonic clock; only the test advances it. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('reads one entry per turn during a burst, and the remaining entries after the burst', async () => {
  stopClock();
  const readQueue = new ReadQueue();
  const read: number[] = [];
  const reader = createRecorder(read);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 10; j++) readQueue.addBytes(reader, { atNs: 10 * i + j }, Buffer.alloc(1));
    await waitForTurn();
    expect(read).toEqual(Array.from({ length: i + 1 }, (_, entry) => entry));
  }
  await waitForTurn();
  expect(read).toEqual(Array.from({ length: 40 }, (_, i) => i));
});

test('reads more than one entry per turn after a burst exceeds its maximum duration', async () => {
  stopClock();
  const readQueue = new ReadQueue();
  const read: number[] = [];
  const reader = createRecorder(read);
  for (let i = 0; i < 10; i++) readQueue.addBytes(reader, { atNs: i }, Buffer.alloc(1));
  vi.advanceTimersByTime(10);
  await waitForTurn();
  expect(read).toHaveLength(10);
});
