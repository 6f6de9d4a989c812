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

test('the default seed is random', () => {
  const seeds = new Set(Array.from({ length: 5 }, () => read('').plan.seed));
  expect(seeds.size).toBeGreaterThan(1);
  expect(read('--random-seed 42').plan.seed).toBe(42);
});

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
])('reads the load: %s', (line, expected) => {
  const { profiling } = read(line).plan;
  expect(profiling).toMatchObject(expected);
  if (/duration 9|sessions/.test(line)) expect(profiling.requestCount).toBeUndefined();
});

test.each([
  ['--concurrency 4 --warmup-request-count 8', { concurrency: 4, requestCount: 8, graceS: Infinity }],
  ['--warmup-duration 2 --warmup-concurrency 3', { concurrency: 3, durationS: 2 }],
  ['--request-rate 4 --warmup-duration 2 --warmup-request-rate 9', { rate: 9, durationS: 2 }],
])('reads the warm-up: %s', (line, expected) => {
  expect(read(line).plan.warmup).toMatchObject(expected);
});

test.each(['', '--warmup-request-count 0', '--warmup-duration 0'])('has no warm-up: %s', line => {
  expect(read(line).plan.warmup).toBeUndefined();
});

test('accepts short names of inputs', () => {
  const { inputs } = read('--isl 100 --isl-stddev 10 --osl 20 --osl-stddev 2 --num-prompts 5').plan;
  expect(inputs).toMatchObject({
    inputTokens: { mean: 100, stddev: 10 },
    outputTokens: { mean: 20, stddev: 2 },
    entries: 5,
  });
});

test('headers of requests and of scrapes are separate', () => {
  const { plan } = optionsOf(['-m', 'm', '-H', 'x-a: 1', '--server-metrics-header', 'x-b: 2']);
  expect(plan.request.headers).toEqual({ 'x-a': '1' });
  expect(plan.targets[0]!.access?.headers).toEqual({ 'x-b': '2' });
});

test('scrapes each server of --url, then other endpoints, without duplicates', () => {
  const { plan } = read('--url a:1/v1 b:2 --server-metrics c:3 b:2');
  expect(plan.request.urls).toEqual(['a:1/v1', 'b:2']);
  expect(plan.targets.map(({ url }) => url)).toEqual([
    'http://a:1/v1/metrics',
    'http://b:2/metrics',
    'http://c:3/metrics',
  ]);
  expect(read('--no-server-metrics').plan.targets).toEqual([]);
});

test('the default folder contains model, API and load', () => {
  expect(optionsOf(['-m', 'Qwen/Qwen3-0.6B', '--concurrency', '4']).plan.folder).toBe(
    '/home/me/artifacts/Qwen_Qwen3-0.6B-chat-concurrency4',
  );
});

describe('rejects', () => {
  test.each([
    ['--concurrency x', 'invalid --concurrency "x": expected an integer of at least 1'],
    ['--concurrency 1.5', 'invalid --concurrency "1.5": expected an integer of at least 1'],
    ['--request-rate 0', 'invalid --request-rate "0": expected a number greater than 0'],
    ['--request-count 0', 'invalid --request-count "0": expected an integer of at least 1'],
    [
      '--benchmark-duration 0',
      'invalid --benchmark-duration "0": expected a number of seconds greater than 0',
    ],
    ['--benchmark-grace-period x', 'expected a number of seconds, at least 0, or inf'],
    ['--benchmark-grace-period 5', 'requires --benchmark-duration'],
    ['--request-cancellation-rate 101', 'expected a number from 0 to 100'],
    ['--request-cancellation-delay 1', 'requires --request-cancellation-rate'],
    ['--arrival-smoothness 2', '--arrival-smoothness requires --request-rate'],
    [
      '--request-rate 1 --arrival-smoothness 2',
      '--arrival-smoothness requires --arrival-pattern gamma; the pattern is poisson',
    ],
    ['--request-rate-ramp-duration 1', 'requires --request-rate'],
    ['--request-rate 2 --concurrency-ramp-duration 1', 'requires --concurrency'],
    ['--fixed-schedule', '--fixed-schedule requires an --input-file'],
    [
      '--fixed-schedule --input-file a --request-rate 1',
      'cannot use both --request-rate and --fixed-schedule',
    ],
    ['--custom-dataset-type multi_turn', '--custom-dataset-type requires --input-file'],
    [
      '--input-file a --osl 20',
      'cannot use --output-tokens-mean with --input-file, only with synthetic prompts; set output_length',
    ],
    ['--input-file a --isl 20', 'cannot use --synthetic-input-tokens-mean with --input-file'],
    ['--osl-stddev 2', '--output-tokens-stddev requires --output-tokens-mean'],
    ['--isl 0', 'invalid --synthetic-input-tokens-mean "0": expected a number from 1 to 10000000'],
    ['--goodput ttft:1', '--goodput: unknown metric "ttft"; expected a metric of single requests'],
    ['--extra-inputs abc', '--extra-inputs: "abc" is neither name:value nor a JSON object'],
    ['--url ftp://a', 'invalid --url "ftp://a": expected host:port or http(s)://host'],
    ['--slice-duration 0', 'invalid --slice-duration "0": expected a number of seconds'],
    ['--random-seed -1', 'invalid --random-seed "-1": expected an integer from 0 to'],
    ['--server-metrics a:1 --no-server-metrics', 'cannot use both --server-metrics and --no-server-metrics'],
    ['-H nonsense', '--header number 1 is not a header'],
    ['--server-metrics-header nonsense', '--server-metrics-header number 1 is not a header'],
    ['--ca-file /nowhere', '--ca-file: '],
    ['--request-rate 1e9', 'invalid --request-rate "1e9": expected a number greater than 0, up to 1000000'],
    ['--warmup-concurrency 3', '--warmup-concurrency requires a warm-up; set --warmup-request-count or'],
    ['--warmup-grace-period 3', '--warmup-grace-period requires a warm-up'],
    ['--dataset-sampling-strategy random', '--dataset-sampling-strategy random requires --input-file'],
    [
      '--input-file a --fixed-schedule --dataset-sampling-strategy shuffle',
      'cannot use --dataset-sampling-strategy shuffle with --fixed-schedule',
    ],
    ['--fixed-schedule-end-offset 4', '--fixed-schedule-end-offset requires --fixed-schedule'],
    [
      '--input-file a --fixed-schedule --fixed-schedule-start-offset 9 --fixed-schedule-end-offset 4',
      'invalid --fixed-schedule-end-offset 4: expected a number of milliseconds, at least 9',
    ],
    [
      '--goodput time_to_first_token:5',
      'time_to_first_token is measured only with streaming; set --streaming',
    ],
    ['--isl 1e9', 'invalid --synthetic-input-tokens-mean "1e9": expected a number from 1 to 10000000'],
  ])('%s', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });

  test('a missing model', () => {
    expect(() => optionsOf([])).toThrow('missing --model; expected a model name');
  });
});

test('rejects an API key that is not valid in a header, without showing it', () => {
  const options = () => optionsOf(['-m', 'm', '--api-key', 'se\ncret']);
  expect(options).toThrow('invalid --api-key: not valid in an HTTP header; expected a single line of text');
});

test.each([
  [[], 'o200k_base'],
  [['--tokenizer', 'builtin'], 'o200k_base'],
  [['--tokenizer', './here'], './here'],
])('reads the tokenizer of %j', (args, tokenizer) => {
  expect(optionsOf(['--model', 'm', ...args]).plan.tokenizer).toBe(tokenizer);
});
