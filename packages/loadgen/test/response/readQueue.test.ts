import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Backlog } from '../../src/response/readQueue.ts';
import type { BodyReader } from '../../src/response/response.ts';

test('reads nothing at once, and then all of it in order', async () => {
  const backlog = new Backlog();
  const seen: string[] = [];
  const reader = (name: string): BodyReader => ({
    bytes: (atNs, bytes) => seen.push(`${name} ${atNs} ${bytes.length}`),
    end: (isComplete, done) => {
      seen.push(`${name} ${isComplete}`);
      done();
    },
  });
  const [a, b] = [reader('a'), reader('b')];
  backlog.bytes(a, 1, Buffer.alloc(3));
  backlog.bytes(b, 2, Buffer.alloc(4));
  backlog.bytes(a, 3, Buffer.alloc(5));
  const ended = new Promise<void>(resolve => backlog.end(b, false, resolve));
  expect(seen).toEqual([]);
  await ended;
  expect(seen).toEqual(['a 1 3', 'b 2 4', 'a 3 5', 'b false']);
});

test('lets others have their turns while there is much to read', async () => {
  const backlog = new Backlog();
  let read = 0;
  let turns = 0;
  const slow: BodyReader = {
    bytes: () => {
      const end = performance.now() + 0.3;
      while (performance.now() < end);
      read += 1;
    },
    end: (_, done) => done(),
  };
  for (let i = 0; i < 40; i++) backlog.bytes(slow, i, Buffer.alloc(1));
  const count = (): void => {
    turns += 1;
    if (read < 40) setImmediate(count);
  };
  setImmediate(count);
  await new Promise<void>(resolve => backlog.end(slow, true, resolve));
  expect(read).toBe(40);
  expect(turns).toBeGreaterThan(8);
});

/** Takes things down as they are read. */
function recorder(read: number[]): BodyReader {
  return { bytes: atNs => void read.push(atNs), end: (_, done) => done() };
}

/** Has the monotonic clock stand still, but for what the test says. */
function stillClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('reads one thing a turn while every turn brings more, and the rest when one does not', async () => {
  stillClock();
  const backlog = new Backlog();
  const read: number[] = [];
  const reader = recorder(read);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 10; j++) backlog.bytes(reader, 10 * i + j, Buffer.alloc(1));
    await turn();
    expect(read).toEqual(Array.from({ length: i + 1 }, (_, one) => one));
  }
  await turn();
  expect(read).toEqual(Array.from({ length: 40 }, (_, i) => i));
});

test('reads more when a burst has lasted too long', async () => {
  stillClock();
  const backlog = new Backlog();
  const read: number[] = [];
  const reader = recorder(read);
  for (let i = 0; i < 10; i++) backlog.bytes(reader, i, Buffer.alloc(1));
  vi.advanceTimersByTime(10);
  await turn();
  expect(read).toHaveLength(10);
});
