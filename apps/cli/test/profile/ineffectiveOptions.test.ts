import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@org/terminal';
import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { describeIneffectiveOptions, NOTED_OPTIONS } from '../../src/profile/ineffectiveOptions.ts';
import { readProfileOptions } from '../../src/profile/profileOptions.ts';
import { readProfileRuns } from '../../src/profile/profileRuns.ts';
import { createIo } from '../support/io.ts';
import { writeSampleFiles } from '../support/optionSamples.ts';
import { HOME, readCollect, readProfile, splitWords } from '../support/options.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const read = (line: string, cwd?: string) => readProfile(['--model', 'm', ...splitWords(line)], cwd);

/** Returns the notes of `servelens profile` about options without effect. */
function describe(words: readonly string[], cwd?: string): string[] {
  const raw = parseCommandLine(profileCommand, ['--model', 'm', ...words], 'servelens profile');
  const io = createIo(cwd ?? HOME);
  const runs = readProfileRuns(raw, io);
  const options = runs?.options ?? [readProfileOptions(raw, io)];
  return describeIneffectiveOptions(
    raw,
    options.map(({ plan }) => plan),
    runs?.runs,
  );
}

test.each([
  ['--arrival-pattern constant', 'arrival-pattern', 'without --request-rate'],
  [
    '--warmup-request-count 5 --warmup-arrival-pattern constant',
    'warmup-arrival-pattern',
    'without --warmup-request-rate or --request-rate',
  ],
  ['--warmup-concurrency 5', 'warmup-concurrency', 'without a warm-up'],
  ['--warmup-grace-period 5', 'warmup-grace-period', 'without a warm-up'],
  ['--warmup-request-count 0 --warmup-request-rate 5', 'warmup-request-rate', 'without a warm-up'],
  ['--warmup-request-count 5 --warmup-grace-period 5', 'warmup-grace-period', 'without --warmup-duration'],
  ['--concurrency-ramp-duration 5', 'concurrency-ramp-duration', 'with a concurrency of 1'],
  ['--concurrency-ramp-duration 5 --request-rate 2', 'concurrency-ramp-duration', 'without --concurrency'],
  [
    '--request-cancellation-rate 0 --request-cancellation-delay 5',
    'request-cancellation-delay',
    'with --request-cancellation-rate 0',
  ],
  [
    '--conversation-turn-delay-mean 5',
    'conversation-turn-delay-mean',
    'for conversations of a single turn; set --conversation-turn-mean',
  ],
  ['--endpoint-type embeddings --streaming', 'streaming', 'with --endpoint-type embeddings'],
  ['--endpoint-type embeddings --osl 5', 'output-tokens-mean', 'with --endpoint-type embeddings'],
  [
    '--endpoint-type embeddings --shared-system-prompt-length 5',
    'shared-system-prompt-length',
    'with --endpoint-type embeddings',
  ],
  [
    '--endpoint-type completions --osl 5 --use-legacy-max-tokens',
    'use-legacy-max-tokens',
    'with --endpoint-type completions, which has one name for the output length',
  ],
  ['--use-legacy-max-tokens', 'use-legacy-max-tokens', 'without a requested output length; set --osl'],
  [
    '--tokenizer x --token-count server --input-file a --custom-dataset-type single_turn',
    'tokenizer',
    'with the token counts of the server and the prompts of a file',
  ],
  ['--no-server-metrics --server-metrics-formats json', 'server-metrics-formats', 'with --no-server-metrics'],
  [
    '--osl 5 --extra-inputs max_completion_tokens:9',
    'output-tokens-mean',
    'with --extra-inputs max_completion_tokens:9',
  ],
  [
    '--input-file a --custom-dataset-type burst_gpt_trace --osl 20',
    'output-tokens-mean',
    'with a file of the type burst_gpt_trace, whose lines have output lengths',
  ],
  ['--input-file a --num-dataset-entries 5', 'num-dataset-entries', 'with --input-file'],
  ['--no-fixed-schedule', 'no-fixed-schedule', 'without --input-file'],
  ['--synthesis-max-isl 5', 'synthesis-max-isl', 'without a trace'],
  [
    '--input-file a --custom-dataset-type multi_turn --synthesis-speedup-ratio 2',
    'synthesis-speedup-ratio',
    'without a trace; the type of --input-file is multi_turn',
  ],
  ['--inter-turn-delay-cap-seconds 3', 'inter-turn-delay-cap-seconds', 'without --input-file'],
  ['--image-format png', 'image-format', 'without --image-width-mean or --image-height-mean'],
  ['--audio-batch-size 2', 'audio-batch-size', 'without --audio-length-mean'],
  ['--rankings-passages-mean 2', 'rankings-passages-mean', 'with --endpoint-type chat'],
  ['--endpoint-type nim_rankings -b 2', 'prompt-batch-size', 'with --endpoint-type nim_rankings'],
  [
    '--endpoint-type completions --image-width-mean 4',
    'image-width-mean',
    'with --endpoint-type completions',
  ],
  ['--input-file a --image-width-mean 4', 'image-width-mean', 'with --input-file'],
  ['--input-file a --audio-length-mean 4', 'audio-length-mean', 'with --input-file'],
  [
    '--isl 0 --image-width-mean 4 --isl-stddev 5',
    'synthetic-input-tokens-stddev',
    'for requests without text',
  ],
  ['--isl 0 --image-width-mean 4 -b 2', 'prompt-batch-size', 'for requests without text'],
  ['--isl 9 --image-width-mean 4 -b 0', 'synthetic-input-tokens-mean', 'for requests without text'],
  ['--arrival-pattern concurrency_burst', 'arrival-pattern', 'without --request-rate'],
  ['--model-selection-strategy random', 'model-selection-strategy', 'with a single model'],
  ['--confidence-level 0.9', 'confidence-level', 'without --num-profile-runs of at least 2'],
  ['--vary-seed-per-trial', 'vary-seed-per-trial', 'without --num-profile-runs of at least 2'],
  [
    '--profile-run-disable-warmup-after-first',
    'profile-run-disable-warmup-after-first',
    'without --num-profile-runs of at least 2',
  ],
  ['--parameter-sweep-mode repeated', 'parameter-sweep-mode', 'without a list to sweep'],
  ['--parameter-sweep-same-seed', 'parameter-sweep-same-seed', 'without a list to sweep'],
  ['--num-profile-runs 2 --show-trace-timing', 'show-trace-timing', 'with several runs'],
  ['--ttft-sla-ms 5', 'ttft-sla-ms', 'without --search-recipe max-concurrency-under-sla'],
  [
    '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5 --isl-min 4',
    'isl-min',
    'with --search-recipe max-concurrency-under-sla; it belongs to prefill-ttft-curve',
  ],
  [
    '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5 --concurrency 4',
    'concurrency',
    'with --search-recipe max-concurrency-under-sla, which determines its values',
  ],
  [
    '--search-recipe prefill-ttft-curve --streaming --isl 500',
    'synthetic-input-tokens-mean',
    'with --search-recipe prefill-ttft-curve, which determines its values',
  ],
  [
    '--search-recipe concurrency-ramp --search-sla request_latency:avg:lt:5',
    'search-sla',
    'with --search-recipe concurrency-ramp, which runs a sweep of given values',
  ],
])('names %s as an option of AIPerf without effect', (line, option, reason) => {
  const [note, ...others] = describe(splitWords(line));
  expect(note?.startsWith(`--${option} has no effect ${reason}`), note).toBe(true);
  expect(others).toEqual([]);
});

test('options of images and audio clips without effect do not change the inputs', () => {
  const { images, audios } = read('--endpoint-type completions --image-width-mean 4 --audio-length-mean 1')
    .plan.inputs;
  expect([images, audios]).toEqual([undefined, undefined]);
  expect(describe(['--image-batch-size', '0', '--audio-batch-size', '0'])).toEqual([]);
});

test('the defaults of options that wait for a model may be set', () => {
  expect(
    read('--wait-for-model-interval 5 --wait-for-model-mode inference').plan.preparation,
  ).toBeUndefined();
  expect(() => read('--wait-for-model-interval 7')).toThrow('requires --wait-for-model-timeout');
});

test('names an API key that is empty', () => {
  expect(describe(['--api-key', ''])).toEqual(['--api-key has no effect because it is empty']);
});

test('names an API key that an Authorization header replaces', () => {
  expect(describe(['--api-key', 'k', '-H', 'Authorization: Bearer other'])).toEqual([
    '--api-key has no effect with an Authorization header (--header)',
  ]);
});

test('names an option that has no effect in any variation of a sweep, but not if it has one in some', () => {
  const ramp = (list: string) => describe(splitWords(`--concurrency-ramp-duration 5 --concurrency ${list}`));
  expect(ramp('1,2')).toEqual([]);
  expect(describe(splitWords('--arrival-pattern gamma --concurrency 1,2'))).toEqual([
    '--arrival-pattern has no effect without --request-rate',
  ]);
});

test('only options of AIPerf are named in a note instead of refused', () => {
  const repository = new URL('../../../../', import.meta.url);
  const options: { readonly names: readonly string[] }[] = JSON.parse(
    readFileSync(new URL('test/peers/aiperf/options.json', repository), 'utf8'),
  );
  const names = new Set(options.flatMap(option => option.names));
  expect(
    [...NOTED_OPTIONS].filter(name => !names.has(name) && !names.has(name.replace(/-mean$/, ''))),
  ).toEqual([]);
});

test.each([
  ['--no-server-metrics --settle 5', 'with --no-server-metrics'],
  ['--no-server-metrics --percentile-method linear', 'with --no-server-metrics'],
  ['--server-metrics-formats json --parquet-partition', 'without the format parquet'],
  ['--server-metrics-formats csv --json-layout legacy', 'without the format json'],
  ['--server-metrics-formats jsonl --percentile-method linear', 'without the formats json and csv'],
  ['--quiet --live', 'with --quiet'],
  ['--insecure', 'without an https URL'],
])('refuses %s', (line, reason) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(/^--[\w-]+ has no effect /);
  expect(() => read(line)).toThrow(reason);
});

test.each([
  ['--input-file a --rankings-passages-mean 2', 'cannot use --rankings-passages-mean with --input-file'],
  ['--header X:1 --header x:2', '--header sets x more than once; expected one value'],
  ['--header X-Request-ID:1', '--header cannot set X-Request-ID, which is different for each request'],
  ['--limit samples=1 --limit samples=2', 'invalid --limit "samples=2": expected one value of each limit'],
  ['--goodput request_latency:1 request_latency:2', 'request_latency is set more than once'],
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
  expect(describe(splitWords(options), writeInputs(TRACE))).toEqual([]);
  expect(describe(splitWords(options), writeInputs({ text: 'a' }))).toEqual([
    '--tokenizer has no effect with the token counts of the server and the prompts of a file',
  ]);
});
