import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readCollect, readProfile, splitWords } from '../support/options.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const read = (line: string, cwd?: string) => readProfile(['--model', 'm', ...splitWords(line)], cwd);

test.each([
  ['--arrival-pattern constant', 'without --request-rate'],
  ['--warmup-request-count 5 --warmup-arrival-pattern constant', 'without --warmup-request-rate'],
  ['--warmup-request-count 0 --warmup-concurrency 5', 'without a warm-up'],
  ['--warmup-request-count 5 --warmup-grace-period 5', 'without --warmup-duration'],
  ['--concurrency-ramp-duration 5 --concurrency 1', 'with a concurrency of 1'],
  ['--request-cancellation-rate 0 --request-cancellation-delay 5', 'with --request-cancellation-rate 0'],
  ['--conversation-turn-delay-mean 5', 'for conversations of a single turn'],
  ['--endpoint-type embeddings --streaming', 'with --endpoint-type embeddings'],
  ['--endpoint-type embeddings --osl 5', 'with --endpoint-type embeddings'],
  ['--endpoint-type embeddings --shared-system-prompt-length 5', 'with --endpoint-type embeddings'],
  ['--endpoint-type completions --osl 5 --use-legacy-max-tokens', 'which always sends max_tokens'],
  ['--use-legacy-max-tokens', 'without a requested output length'],
  [
    '--tokenizer x --token-count server --input-file a --custom-dataset-type single_turn',
    'with the token counts of the server',
  ],
  ['--no-server-metrics --settle 5', 'with --no-server-metrics'],
  ['--no-server-metrics --server-metrics-formats json', 'with --no-server-metrics'],
  ['--no-server-metrics --percentile-method linear', 'with --no-server-metrics'],
  ['--server-metrics-formats json --parquet-partition', 'without the format parquet'],
  ['--server-metrics-formats csv --json-layout legacy', 'without the format json'],
  ['--server-metrics-formats jsonl --percentile-method linear', 'without the formats json and csv'],
  ['--quiet --live', 'with --quiet'],
])('refuses %s', (line, reason) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(/^--[\w-]+ has no effect /);
  expect(() => read(line)).toThrow(reason);
});

test('refuses an API key that an Authorization header replaces', () => {
  const words = ['-m', 'm', '--api-key', 'k', '-H', 'Authorization: Bearer other'];
  expect(() => readProfile(words)).toThrow('--api-key has no effect with an Authorization header');
});

test.each([
  '--request-rate 5 --arrival-pattern constant --warmup-duration 5 --warmup-grace-period 5',
  '--request-rate 5 --warmup-request-count 5 --warmup-arrival-pattern constant',
  '--conversation-turn-mean 1 --conversation-turn-stddev 2 --conversation-turn-delay-mean 5',
  '--token-count server --tokenizer x',
  '--osl 5 --use-legacy-max-tokens',
  '--no-server-metrics --keep-journal --csv-layout aiperf',
])('accepts %s', line => {
  expect(() => read(line)).not.toThrow();
});

test.each([
  ['--parquet-partition --server-metrics-formats json', '--parquet-partition has no effect'],
  ['--csv-layout aiperf --server-metrics-formats json', '--csv-layout has no effect'],
])('collect refuses %s', async (line, message) => {
  await expect(readCollect(['--server-metrics', 'a:1', ...splitWords(line)])).rejects.toThrow(message);
});

function writeInputs(line: object): string {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'inputs.jsonl'), `${JSON.stringify(line)}\n`);
  return folder;
}

test('refuses --no-fixed-schedule without an input file', () => {
  expect(() => read('--no-fixed-schedule')).toThrow(/requires an --input-file with timestamps/);
});

const TRACE = { timestamp: 5, input_length: 20, output_length: 4 };

test.each([
  ['a trace', TRACE, '', true],
  ['a trace with a concurrency limit', TRACE, '--concurrency 4', true],
  ['a trace with a request rate', TRACE, '--request-rate 4', false],
  ['a trace in random order', TRACE, '--dataset-sampling-strategy random', false],
  ['a trace with --no-fixed-schedule', TRACE, '--no-fixed-schedule', false],
  ['a trace without timestamps', { input_length: 20 }, '', false],
  ['prompts with timestamps', { timestamp: 5, text: 'a' }, '', true],
  ['conversations with timestamps', { turns: [{ timestamp: 5, text: 'a' }] }, '', true],
  ['prompts without timestamps', { text: 'a' }, '', false],
])('%s: runs at its timestamps?', (_, line, options, expected) => {
  const { plan } = read(`--input-file inputs.jsonl ${options}`, writeInputs(line));
  expect(plan.inputs.fixedSchedule).toBe(expected);
  // A schedule sends all of its requests.
  if (expected) expect(plan.profiling.requestCount).toBeUndefined();
});

test.each([
  [{ text: 'a' }, '--no-fixed-schedule', '--no-fixed-schedule requires an --input-file with timestamps'],
  [TRACE, '--fixed-schedule --no-fixed-schedule', 'cannot use both --fixed-schedule and --no-fixed-schedule'],
  [
    { text: 'a', timestamp: 5 },
    '--fixed-schedule-start-offset 5',
    '--fixed-schedule-start-offset requires a trace; the type of --input-file is single_turn',
  ],
])('refuses %j with %s', (line, options, message) => {
  expect(() => read(`--input-file inputs.jsonl ${options}`, writeInputs(line))).toThrow(message);
});

test.each([
  [
    ['-m', 'a,b'],
    ['a', 'b'],
  ],
  [
    ['-m', 'a', '--model-names', 'b', '--model-selection-strategy', 'random'],
    ['a', 'b'],
  ],
  [['-m', 'meta-llama/Llama-3'], ['meta-llama/Llama-3']],
])('reads the models of %j', (words, models) => {
  expect(readProfile(words).plan.request.models).toEqual(models);
});

test('accepts a tokenizer for the prompts of a trace, also with the token counts of the server', () => {
  const options = '--input-file inputs.jsonl --tokenizer x --token-count server';
  expect(() => read(options, writeInputs(TRACE))).not.toThrow();
  expect(() => read(options, writeInputs({ text: 'a' }))).toThrow('--tokenizer has no effect');
});

test('refuses a strategy for the choice among one model', () => {
  expect(() => read('--model-selection-strategy random')).toThrow('requires several models');
});
