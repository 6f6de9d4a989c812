import { expect, test } from 'vitest';
import { firstConversation, WARMUP_FIRST } from '../../src/run/conversationOffset.ts';

const counted = { requestCount: 3 };
const timed = { durationS: 2 };

test.each([
  ['inputs without an end', undefined, timed, [WARMUP_FIRST, 0]],
  ['however the warm-up ends', undefined, counted, [WARMUP_FIRST, 0]],
  ['a file behind a counted warm-up goes on', 10, counted, [0, 3]],
  ['a file behind a timed one begins anew', 10, timed, [5, 0]],
  ['a file of one line', 1, timed, [0, 0]],
] as const)('%s', (_, size, warmup, expected) => {
  const of = (phase: 'warmup' | 'profiling') =>
    firstConversation({ phase, isScheduled: false }, { size }, warmup, phase === 'warmup' ? 0 : 3);
  expect([of('warmup'), of('profiling')]).toEqual(expected);
});

test('a schedule is played from its beginning', () => {
  const first = firstConversation({ phase: 'profiling', isScheduled: true }, { size: 10 }, counted, 3);
  expect(first).toBe(0);
});
