import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { checkPromptMemory } from '../../src/profile/promptMemory.ts';
import { readProfile, splitWords } from '../support/options.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]);

test.each([
  ['--concurrency 10000000', 'invalid --concurrency 10000000: expected at most '],
  [
    '--warmup-concurrency 10000000 --warmup-request-count 10000000',
    'invalid --warmup-concurrency 10000000: expected at most ',
  ],
  [
    '--isl 100000000',
    'invalid --synthetic-input-tokens-mean "100000000": expected a number from 0 to 10000000',
  ],
  ['--isl-stddev 1e9', 'invalid --synthetic-input-tokens-stddev "1e9": expected a number from 0 to 10000000'],
  ['--shared-system-prompt-length 1e8', 'expected an integer from 1 to 10000000'],
  ['--num-dataset-entries 1e9', 'expected an integer from 1 to 10000000'],
  [
    '--conversation-turn-mean 1e6',
    'invalid --conversation-turn-mean "1e6": expected a number from 1 to 10000',
  ],
  ['--conversation-turn-delay-mean 1e9', 'expected a number from 0 to 10000000'],
  [
    '--slice-duration 0.001 --benchmark-duration 3600',
    'invalid --slice-duration 0.001: expected at least 0.36 seconds',
  ],
  ['--benchmark-duration 1e9', 'invalid --benchmark-duration "1e9": expected at most 2073600 seconds'],
  ['--benchmark-duration 0', 'invalid --benchmark-duration "0": expected a number of seconds greater than 0'],
  ['--warmup-duration 1e7', 'invalid --warmup-duration "1e7": expected at most 2073600 seconds'],
  ['--request-timeout-seconds 1e9', 'expected at most 2073600 seconds'],
  ['--request-cancellation-rate 5 --request-cancellation-delay 1e7', 'expected at most 2073600 seconds'],
  ['--concurrency-ramp-duration 1e9', 'expected at most 2073600 seconds'],
  ['--request-rate 1e9', 'invalid --request-rate "1e9": expected a number greater than 0, up to 1000000'],
  [
    '--request-rate 5 --arrival-pattern gamma --arrival-smoothness 1e-300',
    'invalid --arrival-smoothness "1e-300": expected a number of at least 0.001',
  ],
])('%s names the limit', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});

test.each([
  '--request-count 1000000000000',
  '--num-sessions 1000000000000',
  '--concurrency 10000000 --request-count 20',
  '--concurrency 10000000 --num-sessions 20',
  '--workers-max 100000',
])('%s is accepted, because it needs no resources in advance', line => {
  expect(() => read(line)).not.toThrow();
});

const INPUTS = { sampling: 'sequential', fixedSchedule: false } as const;
const GIB = 2 ** 30;

test.each([
  [{ mean: 1e6 }, { concurrency: 100 }, true],
  [{ mean: 1e6 }, { concurrency: 100, requestCount: 10 }, false],
  [{ mean: 550, stddev: 1e7 }, { concurrency: 20 }, true],
  [{ mean: 550 }, { concurrency: 2000 }, false],
])('prompts of %j in %j exceed a memory of 4 GiB: %j', (inputTokens, profiling, isExceeded) => {
  const check = () => checkPromptMemory({ ...INPUTS, inputTokens }, { profiling }, 4 * GIB);
  if (isExceeded) expect(check).toThrow(/of memory; expected at most 2 GiB, half of the memory/);
  else expect(check).not.toThrow();
});
