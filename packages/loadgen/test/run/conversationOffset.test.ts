import { expect, test } from 'vitest';
import { findFirstConversation, WARMUP_OFFSET } from '../../src/run/conversationOffset.ts';

const counted = { requestCount: 3 };
const timed = { durationS: 2 };

test.each([
  ['unlimited inputs', undefined, timed, [WARMUP_OFFSET, 0]],
  ['unlimited inputs after a counted warm-up', undefined, counted, [WARMUP_OFFSET, 0]],
  ['a file after a counted warm-up', 10, counted, [0, 3]],
  ['a file after a timed warm-up', 10, timed, [5, 0]],
  ['a file with one line', 1, timed, [0, 0]],
] as const)('finds the first conversation: %s', (_, size, warmup, expected) => {
  const find = (phase: 'warmup' | 'profiling') =>
    findFirstConversation({ phase, isScheduled: false }, { size }, warmup, phase === 'warmup' ? 0 : 3);
  expect([find('warmup'), find('profiling')]).toEqual(expected);
});

test('starts a schedule at its first conversation', () => {
  const first = findFirstConversation({ phase: 'profiling', isScheduled: true }, { size: 10 }, counted, 3);
  expect(first).toBe(0);
});
