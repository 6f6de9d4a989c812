import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan;

test.each([
  ['', { concurrency: 1, requestCount: 10 }],
  ['--concurrency 16', { concurrency: 16, requestCount: 32 }],
  ['--concurrency 2', { concurrency: 2, requestCount: 10 }],
  ['--request-rate 5', { rate: 5, pattern: 'poisson', requestCount: 10 }],
  ['--request-rate 5 --concurrency 20', { rate: 5, concurrency: 20, requestCount: 40 }],
  [
    '--request-rate 5 --arrival-pattern gamma --arrival-smoothness 0.5',
    { pattern: 'gamma', smoothness: 0.5 },
  ],
  ['--request-rate 5 --arrival-smoothness 0.5', { pattern: 'gamma', smoothness: 0.5 }],
  ['--request-rate 5 --arrival-pattern concurrency-burst', { pattern: 'poisson' }],
  ['--request-rate 5 --vllm-burstiness 2', { pattern: 'gamma', smoothness: 2 }],
  ['--concurrency 4 --concurrency-ramp-duration 3', { concurrencyRampS: 3 }],
  ['--request-rate 4 --request-rate-ramp-duration 3', { rateRampS: 3 }],
])('reads the load of %j', (line, expected) => {
  expect(read(line).profiling).toMatchObject(expected);
});

test.each([
  ['--benchmark-duration 9 --benchmark-grace-period inf', { durationS: 9, graceS: Infinity, concurrency: 1 }],
  ['--num-sessions 4', { sessionCount: 4 }],
])('has no default request count with %j', (line, expected) => {
  const { profiling } = read(line);
  expect(profiling).toMatchObject(expected);
  expect(profiling.requestCount).toBeUndefined();
});

test.each([
  ['--concurrency 4 --warmup-request-count 8', { concurrency: 4, requestCount: 8, graceS: Infinity }],
  ['--warmup-duration 2 --warmup-concurrency 3', { concurrency: 3, durationS: 2 }],
  ['--warmup-request-count 8 --warmup-request-rate 9', { rate: 9, requestCount: 8, graceS: Infinity }],
  ['--request-rate 4 --warmup-duration 2 --warmup-request-rate 9', { rate: 9, durationS: 2 }],
])('reads the warm-up of %j', (line, expected) => {
  expect(read(line).warmup).toMatchObject(expected);
});

test.each(['', '--warmup-request-count 0', '--warmup-duration 0'])('reads no warm-up from %j', line => {
  expect(read(line).warmup).toBeUndefined();
});

test.each([
  ['', undefined],
  ['--request-cancellation-rate 25', { percent: 25, delayS: 0 }],
  ['--request-cancellation-rate 25 --request-cancellation-delay 0.5', { percent: 25, delayS: 0.5 }],
])('reads the cancellation of %j', (line, expected) => {
  expect(read(line).cancellation).toEqual(expected);
});

test.each([
  ['--concurrency x', 'invalid --concurrency "x": expected an integer of at least 1'],
  ['--concurrency 1.5', 'invalid --concurrency "1.5": expected an integer of at least 1'],
  ['--request-rate 0', 'invalid --request-rate "0": expected a number greater than 0'],
  ['--request-rate 1e9', 'invalid --request-rate "1e9": expected a number greater than 0, up to 1000000'],
  ['--request-count 0', 'invalid --request-count "0": expected an integer of at least 1'],
  ['--benchmark-duration 0', 'invalid --benchmark-duration "0": expected a number of seconds greater than 0'],
  ['--benchmark-grace-period x', 'expected a number of seconds, at least 0, or inf'],
  ['--benchmark-grace-period 5', 'requires --benchmark-duration'],
  ['--request-cancellation-rate 101', 'expected a number from 0 to 100'],
  ['--request-cancellation-delay 1', 'requires --request-cancellation-rate'],
  ['--arrival-smoothness 2', '--arrival-smoothness requires --request-rate'],
  [
    '--request-rate 1 --arrival-smoothness 2 --arrival-pattern constant',
    'cannot use both --arrival-smoothness and --arrival-pattern constant; expected gamma',
  ],
  ['--request-rate-ramp-duration 1', 'requires --request-rate'],
  ['--fixed-schedule --input-file a --request-rate 1', 'cannot use both --request-rate and --fixed-schedule'],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});
