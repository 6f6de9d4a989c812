import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]);

test('returns the defaults', () => {
  const options = read('');
  expect(options).toMatchObject({
    hasDefaultFolder: true,
    display: 'none',
    required: false,
    showTrace: false,
  });
  expect(options.plan).toMatchObject({
    tokenizer: 'o200k_base',
    tokenCount: 'auto',
    folder: '/home/me/artifacts/m-openai-chat-concurrency1',
    exports: { formats: ['json', 'csv', 'parquet'] },
  });
  expect(options.plan.warmup).toBeUndefined();
  expect(options.plan.exports!.sliceSeconds).toBeUndefined();
  expect(options.plan.targets.map(({ url }) => url)).toEqual(['http://localhost:8000/metrics']);
});

test('chooses a random seed by default', () => {
  const seeds = new Set(Array.from({ length: 5 }, () => read('').plan.seed));
  expect(seeds.size).toBeGreaterThan(1);
  expect(read('--random-seed 42').plan.seed).toBe(42);
});

test.each([
  ['', 'o200k_base'],
  ['--tokenizer builtin', 'o200k_base'],
  ['--tokenizer ./here', './here'],
])('reads the tokenizer of %j', (line, tokenizer) => {
  expect(read(line).plan.tokenizer).toBe(tokenizer);
});

test('separates the headers of requests and of scrapes', () => {
  const { plan } = readProfile(['-m', 'm', '-H', 'x-a: 1', '--server-metrics-header', 'x-b: 2']);
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

/** Names that AIPerf 0.13.0 gives to the folders of these command lines. */
test.each([
  ['--concurrency 8', 'Qwen_Qwen3-0.6B-openai-chat-concurrency8'],
  ['', 'Qwen_Qwen3-0.6B-openai-chat-concurrency1'],
  ['--request-rate 10', 'Qwen_Qwen3-0.6B-openai-chat-request_rate10.0'],
  ['--request-rate 2.5 --concurrency 4', 'Qwen_Qwen3-0.6B-openai-chat-concurrency4-request_rate2.5'],
  ['--endpoint-type completions', 'Qwen_Qwen3-0.6B-openai-completions-concurrency1'],
  ['--endpoint-type embeddings', 'Qwen_Qwen3-0.6B-openai-embeddings-concurrency1'],
])('with %s, the default folder is %s', (words, name) => {
  const args = words === '' ? [] : words.split(' ');
  expect(readProfile(['-m', 'Qwen/Qwen3-0.6B', ...args]).plan.folder).toBe(`/home/me/artifacts/${name}`);
});

test.each([
  [
    '--goodput ttft:1',
    'invalid --goodput "ttft:1": unknown metric "ttft"; expected a metric with one value per request',
  ],
  [
    '--goodput time_to_first_token:5',
    'invalid --goodput "time_to_first_token": the metric requires --streaming',
  ],
  [
    '--endpoint-type embeddings --streaming --goodput time_to_first_token:5',
    'invalid --goodput "time_to_first_token": responses without text do not have this metric',
  ],
  [
    '--endpoint-type embeddings --goodput output_token_count:5',
    'invalid --goodput "output_token_count": responses without text do not have this metric',
  ],
  [
    '--no-server-metrics --require-server-metrics',
    'cannot use both --require-server-metrics and --no-server-metrics',
  ],
  [
    '--profile-export-prefix a/b',
    'invalid --profile-export-prefix "a/b": expected a file name without folders',
  ],
  ['--failed-request-threshold 1.5', 'invalid --failed-request-threshold "1.5": expected'],
  [
    '--request-rate 9 --stop-over-saturated --over-saturation-window 5',
    'invalid --over-saturation-window "5": expected at least 10 seconds',
  ],
  [
    '--concurrency 9 --stop-over-saturated',
    '--stop-over-saturated has no effect with only --concurrency, which limits the queues of the servers; set --request-rate',
  ],
  ['--over-saturation-window 20', '--over-saturation-window has no effect without --stop-over-saturated'],
  ['--slice-duration 0', 'invalid --slice-duration "0": expected a number of seconds'],
  ['--random-seed -1', 'invalid --random-seed "-1": expected an integer from 0 to'],
  ['--server-metrics a:1 --no-server-metrics', 'cannot use both --server-metrics and --no-server-metrics'],
  [
    '--server-metrics-header nonsense',
    `invalid --server-metrics-header "<redacted>": expected 'Name: value' on one line`,
  ],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});
