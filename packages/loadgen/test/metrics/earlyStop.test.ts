import { expect, test } from 'vitest';
import { isEarlyStop } from '../../src/metrics/earlyStop.ts';
import { createRecord } from '../support/record.ts';

const counts = (output: number) => ({ input: 9, output, reasoning: undefined });
const usage = (completionTokens: number) => ({ completionTokens }) as never;

test.each<[string, Parameters<typeof createRecord>[0], boolean]>([
  [
    'finish_reason stop and a shorter response',
    { finishReason: 'stop', counted: counts(30), usage: undefined },
    true,
  ],
  [
    'finish_reason stop and a smaller usage',
    { finishReason: 'stop', counted: counts(60), usage: usage(30) },
    true,
  ],
  ['finish_reason length', { finishReason: 'length', counted: counts(30), usage: undefined }, false],
  [
    'a usage that equals the requested length',
    { finishReason: 'stop', counted: counts(30), usage: usage(50) },
    false,
  ],
  [
    'a response that is longer than requested',
    { finishReason: 'stop', counted: counts(60), usage: undefined },
    false,
  ],
  ['an unknown finish_reason', { finishReason: undefined, counted: counts(30), usage: undefined }, false],
])('a response with %s: %j', (_, fields, expected) => {
  expect(isEarlyStop(createRecord({ requestedOutput: 50, ...fields }))).toBe(expected);
});
