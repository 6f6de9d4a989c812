import { setImmediate as waitForTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import {
  ConversationQueue,
  findFirstConversation,
  getConversation,
  WARMUP_OFFSET,
} from '../../src/run/conversationQueue.ts';
import { UserSchedule } from '../../src/schedule/userSchedule.ts';

/** Creates a queue, and a list of the sessions whose conversations it has generated. */
function createQueue(first: number, step: number, slots: number, max: number) {
  const generated: number[] = [];
  const generate = (session: number) => {
    generated.push(session);
    return { id: String(session), turns: [{ text: '' }] };
  };
  return { generated, queue: new ConversationQueue(generate, { first, step }, slots, max) };
}

test('generates the conversations of assigned sessions ahead of time', async () => {
  const { generated, queue } = createQueue(1, 3, 20, 17);
  await queue.fill();
  expect(generated).toEqual(Array.from({ length: 17 }, (_, n) => 1 + 3 * n));
  expect(queue.take(1).id).toBe('1');
  expect(queue.take(4).id).toBe('4');
  await vi.waitFor(() => expect(generated.slice(17)).toEqual([52, 55]), 20_000);
  for (let turns = 0; turns < 5; turns++) await waitForTurn();
  expect(generated).toHaveLength(19);
});

test('generates other sessions on demand', async () => {
  const { generated, queue } = createQueue(0, 2, 4, 4);
  await queue.fill();
  expect(queue.take(7).id).toBe('7');
  // Sessions 0 and 2 were taken by another thread.
  expect(queue.take(4).id).toBe('4');
  expect(queue.take(6).id).toBe('6');
  expect(queue.take(8).id).toBe('8');
  expect(generated).toEqual([0, 2, 4, 6, 7, 8]);
});

test('generates only a few long conversations ahead of time', async () => {
  const text = 'x'.repeat(1 << 25);
  let generated = 0;
  const generate = (session: number) => {
    generated += 1;
    return { id: String(session), turns: [{ text }] };
  };
  const queue = new ConversationQueue(generate, { first: 0, step: 1 }, 256, 256);
  await queue.fill();
  expect(generated).toBe(2);
  expect(queue.take(0).id).toBe('0');
  await vi.waitFor(() => expect(generated).toBe(3), 20_000);
});

test('stops generating when the run is aborted', async () => {
  const { generated, queue } = createQueue(0, 1, 256, 256);
  const controller = new AbortController();
  const filled = queue.fill(controller.signal);
  controller.abort();
  await filled;
  expect(generated).toEqual([0]);
});

test('users send the first turns of conversations that their schedule contains', () => {
  const turns = ['a', 'b', 'c'].map(text => ({ text }));
  const inputs = { getConversation: (index: number) => ({ id: String(index), turns }) };
  const users = new UserSchedule({ users: 4, perSecond: 4, averageTurns: 3, countTurns: () => 3 });
  const sent = [0, 1, 2, 3].map(session => getConversation(inputs, { users }, 10, session));
  expect(sent.map(({ id, turns: kept }) => [id, kept.length])).toEqual(
    [0, 1, 2, 3].map(session => [String(10 + users.get(session).conversation), users.get(session).turns]),
  );
  expect(new Set(sent.map(({ turns: kept }) => kept.length))).toEqual(new Set([3, 2, 1]));
});

const countedWarmup = { requestCount: 3 };
const timedWarmup = { durationS: 2 };

test.each([
  ['unlimited inputs', undefined, timedWarmup, [WARMUP_OFFSET, 0]],
  ['unlimited inputs after a counted warm-up', undefined, countedWarmup, [WARMUP_OFFSET, 0]],
  ['a file after a counted warm-up', 10, countedWarmup, [0, 3]],
  ['a file after a timed warm-up', 10, timedWarmup, [5, 0]],
  ['a file with one line', 1, timedWarmup, [0, 0]],
] as const)('finds the first conversation: %s', (_, size, warmup, expected) => {
  const find = (phase: 'warmup' | 'profiling') =>
    findFirstConversation({ phase, isScheduled: false }, { size }, warmup, phase === 'warmup' ? 0 : 3);
  expect([find('warmup'), find('profiling')]).toEqual(expected);
});

test('starts a schedule at its first conversation', () => {
  const first = findFirstConversation(
    { phase: 'profiling', isScheduled: true },
    { size: 10 },
    countedWarmup,
    3,
  );
  expect(first).toBe(0);
});
