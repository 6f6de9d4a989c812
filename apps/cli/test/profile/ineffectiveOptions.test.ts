import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfileRuns } from '../../src/profile/profileRuns.ts';
import { createIo } from '../support/io.ts';
import { writeSampleFiles } from '../support/optionSamples.ts';
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
  ['--endpoint-type completions --osl 5 --use-legacy-max-tokens', 'which has one name for the output length'],
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
  ['--insecure', 'without an https URL'],
  ['--osl 5 --extra-inputs max_completion_tokens:9', 'with --extra-inputs max_completion_tokens:9'],
  ['--osl 5 --osl-stddev 2 --endpoint-type completions --extra-inputs max_tokens:5', 'with --extra-inputs'],
])('refuses %s', (line, reason) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(/^--[\w-]+ has no effect /);
  expect(() => read(line)).toThrow(reason);
});

test.each([
  ['--header X:1 --header x:2', '--header sets x more than once; expected one value'],
  ['--header X-Request-ID:1', '--header cannot set X-Request-ID, which is different for each request'],
  ['--limit samples=1 --limit samples=2', 'invalid --limit "samples=2": expected one value of each limit'],
  ['--goodput request_latency:1 request_latency:2', 'request_latency is set more than once'],
  ['--extra-inputs a:1 a:2', 'a is set more than once'],
  ['--extra-inputs messages:[]', '--extra-inputs cannot set messages; use --input-file'],
  ['--extra-inputs model:other', '--extra-inputs cannot set model; use --model'],
  ['--extra-inputs stream:true', '--extra-inputs cannot set stream; use --streaming'],
  ['--compat aiperf-0.13 --token-count auto', 'cannot use both --compat aiperf-0.13 and --token-count auto'],
  ['--api-key k --url http://me:pw@a', 'cannot use both --api-key and a user or password in --url'],
  [
    '--server-metrics-header Authorization:x --bearer-token-file /nowhere',
    'cannot use both --bearer-token-file and an Authorization header (--server-metrics-header)',
  ],
])('refuses %s, of which one value would be lost', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});

test('refuses CA certificates that are not checked', () => {
  const folder = makeTestFolder();
  writeSampleFiles(folder);
  const refuse = () => read('--ca-file ca.pem --insecure --url https://a', folder);
  expect(refuse).toThrow('--ca-file has no effect with --insecure, which accepts every certificate');
});

test('refuses HTTP timings in the summary of several runs', () => {
  const raw = { model: ['m'], 'num-profile-runs': '2', 'show-trace-timing': true };
  expect(() => readProfileRuns(raw, createIo('/'))).toThrow(
    '--show-trace-timing has no effect with several runs',
  );
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
  '--osl 5 --extra-inputs max_tokens:9 stream:false model:m',
  '--osl 5 --endpoint-type completions --extra-inputs max_tokens:5',
  '--insecure --url https://a',
  '--no-server-metrics --keep-journal --compat aiperf-0.13',
])('accepts %s', line => {
  expect(() => read(line)).not.toThrow();
});

test.each([
  ['--parquet-partition --server-metrics-formats json', '--parquet-partition has no effect'],
  [
    '--compat aiperf-0.13 --json-layout legacy',
    'cannot use both --compat aiperf-0.13 and --json-layout legacy',
  ],
  ['--live --quiet', '--live has no effect with --quiet'],
  ['--ui line --quiet', '--ui has no effect with --quiet'],
])('collect refuses %s', async (line, message) => {
  await expect(readCollect(['--server-metrics', 'a:1', ...splitWords(line)])).rejects.toThrow(message);
});

test.each([
  '--url a:1',
  '--slice-duration 5',
  '--artifact-dir a',
  '--timeout 5',
  '--quiet',
  '--keep-journal',
])('collect refuses %s without scraping', async option => {
  const words = ['--no-server-metrics', ...splitWords(option), '--', 'true'];
  await expect(readCollect(words)).rejects.toThrow(/has no effect with --no-server-metrics$/);
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
