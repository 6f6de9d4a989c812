import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Preparation } from '../../src/run/conversationQueue.ts';

/** A preparation that remembers what it has written. */
function preparing(first: number, step: number, places: number, most: number) {
  const written: number[] = [];
  const write = (session: number) => {
    written.push(session);
    return { id: String(session), turns: [{ text: '' }] };
  };
  return { written, preparation: new Preparation(write, { first, step }, places, most) };
}

test('writes the sessions that a thread is dealt ahead', async () => {
  const { written, preparation } = preparing(1, 3, 20, 17);
  preparation.fill();
  expect(written).toEqual(Array.from({ length: 17 }, (_, n) => 1 + 3 * n));
  expect(preparation.take(1).id).toBe('1');
  expect(preparation.take(4).id).toBe('4');
  await vi.waitFor(() => expect(written.slice(17)).toEqual([52, 55]), 20_000);
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(written).toHaveLength(19);
});

test('writes any other session when it is asked for', () => {
  const { written, preparation } = preparing(0, 2, 4, 4);
  preparation.fill();
  expect(preparation.take(7).id).toBe('7');
  // Another thread has taken 0 and 2.
  expect(preparation.take(4).id).toBe('4');
  expect(preparation.take(6).id).toBe('6');
  expect(preparation.take(8).id).toBe('8');
  expect(written).toEqual([0, 2, 4, 6, 7, 8]);
});
