import { expect, test } from 'vitest';
import type { BodyReader } from '../../src/answer/answer.ts';
import { Backlog } from '../../src/answer/backlog.ts';

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
