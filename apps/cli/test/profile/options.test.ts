import { UsageError } from '@org/terminal';
import { describe, expect, test } from 'vitest';
import { optionsOf } from './support.ts';

const read = (line: string) => optionsOf(['--model', 'm', ...line.split(' ').filter(word => word !== '')]);

test('defaults', () => {
  const options = read('');
  expect(options.plan).toMatchObject({
    request: { model: 'm', urls: ['localhost:8000'], endpoint: 'chat', streaming: false, headers: {} },
    profiling: { concurrency: 1, requestCount: 10 },
    inputs: { inputTokens: { mean: 550, stddev: 0 }, sampling: 'sequential', fixedSchedule: false },
    tokenizer: 'o200k_base',
    useServerTokenCount: false,
    folder: '/home/me/artifacts/m-chat-concurrency1',
    exports: { formats: ['json', 'csv', 'parquet'] },
  });
  expect(options).toMatchObject({ hasDefaultFolder: true, live: false, required: false });
  expect(options.plan.warmup).toBeUndefined();
  expect(options.plan.exports!.sliceSeconds).toBeUndefined();
  expect(options.plan.targets.map(({ url }) => url)).toEqual(['http://localhost:8000/metrics']);
});

test('without a seed every run has another one, which is known', () => {
  const seeds = new Set(Array.from({ length: 5 }, () => read('').plan.seed));
  expect(seeds.size).toBeGreaterThan(1);
  expect(read('--random-seed 42').plan.seed).toBe(42);
});

// Reference, section C.
test.each([
  ['--concurrency 16', { concurrency: 16, requestCount: 32 }],
  ['--concurrency 2', { concurrency: 2, requestCount: 10 }],
  ['--request-rate 5', { rate: 5, pattern: 'poisson', requestCount: 10 }],
  ['--request-rate 5 --concurrency 20', { rate: 5, concurrency: 20, requestCount: 40 }],
  ['--benchmark-duration 9 --benchmark-grace-period inf', { durationS: 9, graceS: Infinity, concurrency: 1 }],
  ['--num-sessions 4', { sessionCount: 4 }],
  [
    '--request-rate 5 --arrival-pattern gamma --arrival-smoothness 0.5',
    { pattern: 'gamma', smoothness: 0.5 },
  ],
  ['--concurrency 4 --concurrency-ramp-duration 3', { concurrencyRampS: 3 }],
  ['--request-rate 4 --request-rate-ramp-duration 3', { rateRampS: 3 }],
])('load: %s', (line, expected) => {
  const { profiling } = read(line).plan;
  expect(profiling).toMatchObject(expected);
  if (/duration 9|sessions/.test(line)) expect(profiling.requestCount).toBeUndefined();
});

test.each([
  ['--concurrency 4 --warmup-request-count 8', { concurrency: 4, requestCount: 8, graceS: Infinity }],
  ['--warmup-duration 2 --warmup-concurrency 3', { concurrency: 3, durationS: 2 }],
  ['--request-rate 4 --warmup-duration 2 --warmup-request-rate 9', { rate: 9, durationS: 2 }],
])('warm-up: %s', (line, expected) => {
  expect(read(line).plan.warmup).toMatchObject(expected);
});

test.each(['', '--warmup-request-count 0', '--warmup-duration 0'])('no warm-up: %s', line => {
  expect(read(line).plan.warmup).toBeUndefined();
});

test('inputs, with the short names', () => {
  const { inputs } = read('--isl 100 --isl-stddev 10 --osl 20 --osl-stddev 2 --num-prompts 5').plan;
  expect(inputs).toMatchObject({
    inputTokens: { mean: 100, stddev: 10 },
    outputTokens: { mean: 20, stddev: 2 },
    entries: 5,
  });
});

test('a header of requests is none of scrapes', () => {
  const { plan } = optionsOf(['-m', 'm', '-H', 'x-a: 1', '--server-metrics-header', 'x-b: 2']);
  expect(plan.request.headers).toEqual({ 'x-a': '1' });
  expect(plan.targets[0]!.access?.headers).toEqual({ 'x-b': '2' });
});

test('what is scraped: each server once, then what is named', () => {
  const { plan } = read('--url a:1/v1 b:2 --server-metrics c:3 b:2');
  expect(plan.request.urls).toEqual(['a:1/v1', 'b:2']);
  expect(plan.targets.map(({ url }) => url)).toEqual([
    'http://a:1/v1/metrics',
    'http://b:2/metrics',
    'http://c:3/metrics',
  ]);
  expect(read('--no-server-metrics').plan.targets).toEqual([]);
});

test('the folder is called like the run', () => {
  expect(optionsOf(['-m', 'Qwen/Qwen3-0.6B', '--concurrency', '4']).plan.folder).toBe(
    '/home/me/artifacts/Qwen_Qwen3-0.6B-chat-concurrency4',
  );
});

describe('mistakes', () => {
  test.each([
    ['--concurrency x', '--concurrency is "x"; expected a whole number from 1'],
    ['--concurrency 1.5', '--concurrency is 1.5; expected a whole number from 1'],
    ['--request-rate 0', '--request-rate is 0; expected a number above 0'],
    ['--request-count 0', '--request-count is 0; expected a whole number from 1'],
    ['--benchmark-duration 0', '--benchmark-duration is 0; expected a number of seconds above 0'],
    ['--benchmark-grace-period x', 'expected a number of seconds from 0, or inf'],
    ['--benchmark-grace-period 5', 'needs --benchmark-duration'],
    ['--request-cancellation-rate 101', 'expected a number of percent from 0 to 100'],
    ['--request-cancellation-delay 1', 'needs --request-cancellation-rate'],
    ['--arrival-smoothness 2', '--arrival-smoothness needs --request-rate'],
    ['--request-rate 1 --arrival-smoothness 2', 'the shape of --arrival-pattern gamma, which is poisson'],
    ['--request-rate-ramp-duration 1', 'needs --request-rate'],
    ['--request-rate 2 --concurrency-ramp-duration 1', 'needs --concurrency'],
    ['--fixed-schedule', '--fixed-schedule needs --input-file'],
    [
      '--fixed-schedule --input-file a --request-rate 1',
      'cannot use both --request-rate and --fixed-schedule',
    ],
    ['--custom-dataset-type multi_turn', 'there is no --input-file'],
    ['--input-file a --osl 20', '--output-tokens-mean is for synthetic prompts, and there is --input-file'],
    ['--input-file a --isl 20', 'the file says what is asked'],
    ['--osl-stddev 2', '--output-tokens-stddev is 2, but there is no --output-tokens-mean'],
    ['--isl 0', '--synthetic-input-tokens-mean is 0; expected a number from 1'],
    ['--goodput ttft:1', '--goodput: unknown metric "ttft"; expected a metric of single requests'],
    ['--extra-inputs abc', '--extra-inputs: extra input is "abc"; expected name:value or a JSON object'],
    ['--url ftp://a', '--url is "ftp://a"; expected host:port or http(s)://host'],
    ['--slice-duration 0', '--slice-duration is 0; expected a number of seconds'],
    ['--random-seed -1', '--random-seed is -1; expected a whole number from 0 to'],
    ['--server-metrics a:1 --no-server-metrics', 'cannot use both --server-metrics and --no-server-metrics'],
    ['-H nonsense', '--header number 1 is no header'],
    ['--server-metrics-header nonsense', '--server-metrics-header number 1 is no header'],
    ['--ca-file /nowhere', '--ca-file: '],
    ['--request-rate 1e9', '--request-rate is 1000000000; expected a number above 0 and at most 1000000'],
    ['--warmup-concurrency 3', '--warmup-concurrency needs a warm-up: --warmup-request-count or'],
    ['--warmup-grace-period 3', '--warmup-grace-period needs a warm-up'],
    ['--dataset-sampling-strategy random', 'is random, but there is no --input-file'],
    [
      '--input-file a --fixed-schedule --dataset-sampling-strategy shuffle',
      'is shuffle, but --fixed-schedule takes a file in the order of its timestamps',
    ],
    ['--fixed-schedule-end-offset 4', '--fixed-schedule-end-offset needs --fixed-schedule'],
    [
      '--input-file a --fixed-schedule --fixed-schedule-start-offset 9 --fixed-schedule-end-offset 4',
      '--fixed-schedule-end-offset is 4; expected a number of ms from 9',
    ],
    [
      '--goodput time_to_first_token:5',
      '"time_to_first_token", which only streams have; expected --streaming',
    ],
    ['--isl 1e9', '--synthetic-input-tokens-mean is 1000000000; expected a number from 1 to 10000000'],
  ])('%s', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });

  test('no model', () => {
    expect(() => optionsOf([])).toThrow('--model is missing; expected the name of the model');
  });
});

test('a key that no header can hold is refused, and not shown', () => {
  const options = () => optionsOf(['-m', 'm', '--api-key', 'se\ncret']);
  expect(options).toThrow('--api-key cannot be sent in a header; expected a key of one line');
});

test.each([
  [[], 'o200k_base'],
  [['--tokenizer', 'builtin'], 'o200k_base'],
  [['--tokenizer', './here'], './here'],
])('the tokenizer of %j', (args, tokenizer) => {
  expect(optionsOf(['--model', 'm', ...args]).plan.tokenizer).toBe(tokenizer);
});
