import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { DISCOVERY_SAMPLES } from '../support/discoverySamples.ts';
import { countInFlight, type ObservedRun, observeRun } from '../support/observedRun.ts';
import { PROFILE_SAMPLES, writeSampleFiles } from '../support/optionSamples.ts';
import { splitWords } from '../support/options.ts';
import { PUSH_SAMPLES } from '../support/pushSamples.ts';
import { computeGaps, isRegular, readDueTimes, readLines, readTurnDelays } from '../support/recordedLines.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { SEARCH_SAMPLES } from '../support/searchSamples.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { CONVERGENCE_EFFECTS } from './effects/convergenceEffects.ts';
import type { Effect } from './effects/effect.ts';
import { listLoadEffects } from './effects/loadEffects.ts';
import { MEDIA_EFFECTS } from './effects/mediaEffects.ts';
import { listPreparationEffects } from './effects/preparationEffects.ts';
import { PROMPT_SHAPE_EFFECTS } from './effects/promptShapeEffects.ts';
import { REPLAY_EFFECTS } from './effects/replayEffects.ts';
import { TRACE_EFFECTS, writeTraces } from './effects/traceEffects.ts';

const server = await startRecordingServer();
const cwd = makeSuiteFolder();
writeSampleFiles(cwd);
writeTraces(cwd);
writeFileSync(join(cwd, 'targets.yaml'), `targets:\n  - url: ${server.url}/configured/metrics\n`);
writeFileSync(join(cwd, 'blocks.jsonl'), '{"input_length":6,"hash_ids":[1]}\n'.repeat(2));
writeFileSync(join(cwd, 'mixed.jsonl'), '{"text":"first"}\n{"turns":["second","third"]}\n');

const DOCUMENT = 'profile_export_aiperf.json';
const SERVER_DOCUMENT = 'server_metrics_export.json';
const unique = (values: readonly unknown[]): unknown[] => [...new Set(values)];
const getPrompt = ({ body }: ObservedRun['requests'][number]): string => body.messages?.at(-1).content ?? '';
const countWords = (text: string): number => text.split(/\s+/).length;
const getPrompts = ({ requests }: ObservedRun): string[] => requests.map(getPrompt);
const readLoad = ({ readJson }: ObservedRun) => readJson(DOCUMENT).load_generator ?? {};
const readTag =
  (tag: string) =>
  ({ readJson }: ObservedRun) =>
    readJson(DOCUMENT)[tag]?.avg;
const readHeader =
  (name: string) =>
  ({ requests }: ObservedRun) =>
    requests[0]?.headers[name];
const readScrapeHeader =
  (name: string) =>
  ({ scrapes }: ObservedRun) =>
    scrapes[0]?.headers[name];
const readErrors = ({ readJson }: ObservedRun): string[] =>
  (readJson(DOCUMENT).error_summary ?? []).map(
    ({ error_details: details }: { error_details: { type: string } }) => details.type,
  );
const computeVariation = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) / mean;
};
const countSessionTurns = (run: ObservedRun): number => {
  const sessions = readLines(run).map(line => line.session_num);
  return unique(unique(sessions).map(session => sessions.filter(other => other === session).length)).length;
};
const hasFile =
  (name: string | RegExp) =>
  ({ files }: ObservedRun): boolean =>
    files.some(file => (typeof name === 'string' ? file === name : name.test(file)));
const hasLine =
  (pattern: RegExp) =>
  ({ err }: ObservedRun): boolean =>
    pattern.test(err);

const WAIT = `--url ${server.url}/wait/1000`;
const TLS = `--url ${server.tlsUrl} --request-count 1`;

const EFFECTS: Readonly<Record<string, Effect>> = {
  ...CONVERGENCE_EFFECTS,
  ...listLoadEffects(server.url),
  ...listPreparationEffects(server.url),
  model: {
    observe: ({ requests }) => unique(requests.map(({ body }) => body.model)),
    without: ['m'],
    with: ['a', 'b'],
  },
  'model-selection-strategy': {
    observe: ({ requests }) => requests.every(({ body }, i) => body.model === ['a', 'b'][i % 2]),
    without: true,
    with: false,
  },
  url: {
    words: `--url ${server.url} ${server.url}/wait/1`,
    observe: ({ requests }) => unique(requests.map(({ path }) => path)).length,
    without: 1,
    with: 2,
  },
  'endpoint-type': {
    observe: ({ requests }) => unique(requests.map(({ path }) => path)),
    without: ['/v1/chat/completions'],
    with: ['/v1/completions'],
  },
  endpoint: {
    observe: ({ requests }) => unique(requests.map(({ path }) => path)),
    without: ['/v1/chat/completions'],
    with: ['/v2/chat'],
  },
  streaming: {
    observe: ({ requests }) => unique(requests.map(({ body }) => body.stream)),
    without: [false],
    with: [true],
  },
  header: { observe: readHeader('x-test'), without: undefined, with: '1' },
  'api-key': { observe: readHeader('authorization'), without: undefined, with: 'Bearer k' },
  'extra-inputs': { observe: ({ requests }) => requests[0]!.body.temperature, without: undefined, with: 0.5 },
  'use-legacy-max-tokens': {
    observe: ({ requests }) => requests[0]!.body.max_tokens,
    without: undefined,
    with: 4,
  },
  'request-timeout-seconds': {
    requires: `${WAIT} --request-count 1`,
    observe: readErrors,
    without: [],
    with: ['RequestTimeout'],
  },
  'connection-reuse-strategy': {
    observe: ({ requests }) => unique(requests.map(({ connection }) => connection)).length,
    without: 1,
    with: 10,
  },
  concurrency: {
    requires: `${WAIT} --request-count 3`,
    observe: ({ requests }) => countInFlight(requests),
    without: 1,
    with: 3,
  },
  'request-rate': {
    requires: `${WAIT} --request-count 3`,
    observe: ({ requests }) => countInFlight(requests),
    without: 1,
    with: 3,
  },
  'arrival-pattern': { observe: run => isRegular(run), without: false, with: true },
  'arrival-smoothness': {
    requires: '--request-rate 200 --arrival-pattern gamma --request-count 60',
    observe: run => computeVariation(computeGaps(readDueTimes(run))) < 0.7,
    without: false,
    with: true,
  },
  'request-count': { observe: ({ requests }) => requests.length, without: 10, with: 3 },
  'num-sessions': { observe: ({ requests }) => requests.length, without: 10, with: 3 },
  'benchmark-duration': { observe: run => readLoad(run).stop_reason, without: 'requests', with: 'duration' },
  'benchmark-grace-period': {
    requires: `--url ${server.url}/wait/2000 --benchmark-duration 0.3`,
    observe: readTag('cancelled_request_count'),
    without: undefined,
    with: 1,
  },
  'concurrency-ramp-duration': {
    words: '--concurrency-ramp-duration 2',
    requires: `--url ${server.url}/wait/100 --concurrency 5 --request-count 5`,
    observe: run => readLines(run).some((line, _, lines) => line.credit_issued_ns > lines[0].request_end_ns),
    without: false,
    with: true,
  },
  'request-rate-ramp-duration': {
    requires: '--request-rate 50 --arrival-pattern constant',
    observe: run => isRegular(run),
    without: true,
    with: false,
  },
  'request-cancellation-rate': { observe: readTag('cancelled_request_count'), without: undefined, with: 10 },
  'request-cancellation-delay': {
    words: '--request-cancellation-delay 2',
    requires: `--url ${server.url}/wait/20000 --request-cancellation-rate 100 --request-count 1`,
    observe: run => readLines(run).every(line => line.cancellation_time_ns - line.request_start_ns >= 1.9e9),
    without: false,
    with: true,
  },
  'failed-request-threshold': {
    requires: `--url ${server.url}/fail --request-count 30`,
    observe: run => readLoad(run).stop_reason,
    without: 'requests',
    with: 'failed_requests',
  },
  // Tests of the package run end a load by this option.
  'stop-over-saturated': {
    observe: ({ readJson }) => readJson(DOCUMENT).servelens_config.over_saturation_window,
    without: undefined,
    with: 30,
  },
  'over-saturation-window': {
    observe: ({ readJson }) => readJson(DOCUMENT).servelens_config.over_saturation_window,
    without: 30,
    with: 20,
  },
  workers: { observe: run => readLoad(run).workers, without: undefined, with: 1 },
  'random-seed': {
    observe: ({ readJson }) => readJson(DOCUMENT).run_info.random_seed,
    without: 7,
    with: 5,
  },
  'warmup-duration': { observe: ({ requests }) => requests.length > 10, without: false, with: true },
  'warmup-request-count': { observe: ({ requests }) => requests.length, without: 10, with: 13 },
  'warmup-concurrency': {
    requires: `${WAIT} --warmup-request-count 2 --request-count 1`,
    observe: ({ requests }) => countInFlight(requests),
    without: 1,
    with: 2,
  },
  'warmup-request-rate': {
    requires: `${WAIT} --warmup-request-count 3 --request-count 1`,
    observe: ({ requests }) => countInFlight(requests),
    without: 1,
    with: 3,
  },
  'warmup-arrival-pattern': {
    requires: '--warmup-request-count 8 --warmup-request-rate 50 --request-count 1',
    observe: run => isRegular(run, 'warmup'),
    without: false,
    with: true,
  },
  'warmup-grace-period': {
    requires: `--url ${server.url}/wait/2000 --warmup-duration 0.3 --request-count 1`,
    observe: ({ requests }) => requests[0]!.isClosed,
    without: false,
    with: true,
  },
  'synthetic-input-tokens-mean': {
    observe: run => unique(getPrompts(run).map(countWords)),
    without: [10],
    with: [30],
  },
  'synthetic-input-tokens-stddev': {
    observe: run => unique(getPrompts(run).map(countWords)).length > 1,
    without: false,
    with: true,
  },
  'output-tokens-mean': {
    observe: ({ requests }) => requests[0]!.body.max_completion_tokens,
    without: undefined,
    with: 4,
  },
  'output-tokens-stddev': {
    observe: ({ requests }) => unique(requests.map(({ body }) => body.max_completion_tokens)).length > 1,
    without: false,
    with: true,
  },
  'conversation-turn-mean': {
    observe: ({ requests }) => unique(requests.map(({ body }) => body.messages.length)),
    without: [1],
    with: [1, 3],
  },
  'conversation-turn-stddev': {
    requires: '--conversation-turn-mean 3 --num-sessions 6',
    observe: run => countSessionTurns(run) > 1,
    without: false,
    with: true,
  },
  'conversation-turn-delay-mean': {
    observe: run => Math.min(...readTurnDelays(run)) > 49,
    without: false,
    with: true,
  },
  'conversation-turn-delay-stddev': {
    requires: '--conversation-turn-mean 2 --conversation-turn-delay-mean 50 --num-sessions 6',
    observe: run => Math.min(...readTurnDelays(run)) < 49,
    without: false,
    with: true,
  },
  'seq-dist': {
    observe: run => [
      unique(getPrompts(run).map(countWords)),
      unique(run.requests.map(({ body }) => body.max_completion_tokens)),
    ],
    without: [[10], [undefined]],
    with: [[5], [3]],
  },
  'user-context-prompt-length': {
    observe: ({ requests }) => unique(requests.map(({ body }) => body.messages.length)),
    without: [1],
    with: [2],
  },
  'system-prompt': {
    observe: ({ requests }) => requests[0]!.body.messages[0],
    without: expect.objectContaining({ role: 'user' }),
    with: { role: 'system', content: 'Hello' },
  },
  'system-prompt-file': {
    observe: ({ requests }) => requests[0]!.body.messages[0],
    without: expect.objectContaining({ role: 'user' }),
    with: { role: 'system', content: readFileSync(join(cwd, 'prompts.jsonl'), 'utf8') },
  },
  'shared-system-prompt-length': {
    observe: ({ requests }) => requests[0]!.body.messages[0].role,
    without: 'user',
    with: 'system',
  },
  'num-dataset-entries': { observe: run => unique(getPrompts(run)).length, without: 10, with: 2 },
  ...PROMPT_SHAPE_EFFECTS,
  'unique-prompts': {
    requires: '--warmup-request-count 2 --request-count 2',
    observe: run => unique(getPrompts(run)).length,
    without: 2,
    with: 4,
  },
  ...TRACE_EFFECTS,
  ...REPLAY_EFFECTS,
  ...MEDIA_EFFECTS,
  'public-dataset': {
    observe: run => getPrompts(run)[0] === 'Which questions are in the data set?',
    without: false,
    with: true,
  },
  'input-file': { observe: run => getPrompts(run)[0] === 'first', without: false, with: true },
  'custom-dataset-type': {
    requires: '--input-file mixed.jsonl',
    observe: ({ requests, code }) => [code, unique(requests.map(getPrompt)).length],
    without: [2, 0],
    with: [0, 3],
  },
  'dataset-sampling-strategy': {
    observe: run => getPrompts(run).every((prompt, i) => prompt === ['first', 'second', 'third'][i % 3]),
    without: true,
    with: false,
  },
  // A file with timestamps is replayed by default.
  'fixed-schedule': {
    words: '--fixed-schedule',
    requires: '--input-file timed.jsonl --dataset-sampling-strategy sequential',
    observe: run => readDueTimes(run),
    without: [0, 300],
    with: [0, 300],
  },
  'no-fixed-schedule': { observe: run => readDueTimes(run).at(-1) === 300, without: true, with: false },
  'fixed-schedule-start-offset': { observe: ({ requests }) => requests.length, without: 3, with: 2 },
  'fixed-schedule-end-offset': { observe: ({ requests }) => requests.length, without: 3, with: 2 },
  tokenizer: {
    words: `--tokenizer ${join(cwd, 'tokenizer.json')}`,
    observe: run => readLoad(run).tokenizer,
    without: 'o200k_base',
    with: join(cwd, 'tokenizer.json'),
  },
  'token-count': { observe: run => readLoad(run).token_source, without: 'server', with: 'client' },
  'use-server-token-count': {
    requires: `--url ${server.url}/plain`,
    observe: run => readLoad(run).token_source,
    without: 'client',
    with: 'server',
  },
  'artifact-dir': { observe: ({ files }) => files.length > 0, without: true, with: false },
  'profile-export-prefix': { observe: hasFile('p.json'), without: false, with: true },
  'server-metrics-formats': { observe: hasFile('server_metrics_export.jsonl'), without: false, with: true },
  'slice-duration': { observe: hasFile('profile_export_aiperf_timeslices.json'), without: false, with: true },
  window: {
    observe: ({ readJson }) => readJson(SERVER_DOCUMENT).summary.statistics_window,
    without: undefined,
    with: 'aiperf',
  },
  'percentile-method': {
    observe: ({ readJson }) => readJson(SERVER_DOCUMENT).servelens_config.percentile_method,
    without: 'moments',
    with: 'linear',
  },
  servers: {
    observe: ({ readJson }) => readJson(SERVER_DOCUMENT).servelens_config.server_definitions?.[0].name,
    without: undefined,
    with: 'Engine',
  },
  'json-layout': {
    observe: ({ readJson }) => Object.hasOwn(readJson(SERVER_DOCUMENT), 'schema_version'),
    without: true,
    with: false,
  },
  compat: {
    observe: ({ read }) => read('profile_export_aiperf.csv').includes('\r\n'),
    without: false,
    with: true,
  },
  'parquet-partition': { observe: hasFile(/\.parquet[\\/]|endpoint/), without: false, with: true },
  'keep-journal': { observe: hasFile('server_metrics.journal'), without: false, with: true },
  goodput: { observe: readTag('good_request_fraction'), without: undefined, with: 0 },
  'export-level': { observe: hasFile('profile_export_raw.jsonl'), without: false, with: true },
  'export-outputs-json': { observe: hasFile('outputs.json'), without: false, with: true },
  'auto-plot': { observe: hasFile('server_metrics_report.html'), without: false, with: true },
  'stats-interval': {
    requires: `${WAIT} --request-count 1 --ui none`,
    observe: hasLine(/profiling 0 s|profiling 1 s/),
    without: false,
    with: true,
  },
  'show-trace-timing': { observe: ({ out }) => /DNS/i.test(out), without: false, with: true },
  'num-profile-runs': { observe: ({ requests }) => requests.length, without: 10, with: 20 },
  'profile-run-disable-warmup-after-first': {
    observe: ({ requests }) => requests.length,
    without: 7,
    with: 10,
  },
  'profile-run-cooldown-seconds': { observe: hasLine(/cooling down 300 ms/), without: false, with: true },
  'confidence-level': {
    observe: ({ readJson }) =>
      readJson('aggregate/profile_export_aiperf_aggregate.json').metadata.confidence_level,
    without: 0.95,
    with: 0.5,
  },
  'parameter-sweep-mode': {
    requires: '--concurrency 1,2 --num-profile-runs 2 --request-count 2',
    observe: ({ err }) =>
      [...err.matchAll(/run \d of 4: .*concurrency[_ =](\d)/g)].map(([, n]) => n).join(''),
    without: '1212',
    with: '1122',
  },
  'parameter-sweep-same-seed': {
    requires: '--concurrency 1,2 --request-count 2',
    observe: run => unique(getPrompts(run)).length,
    without: 4,
    with: 2,
  },
  'vary-seed-per-trial': {
    requires: '--num-profile-runs 2 --request-count 2',
    observe: run => unique(getPrompts(run)).length,
    without: 2,
    with: 4,
  },
  'server-metrics': {
    words: `--server-metrics ${server.url}/other/metrics`,
    observe: ({ scrapes }) => scrapes.some(({ path }) => path === '/other/metrics'),
    without: false,
    with: true,
  },
  'no-server-metrics': { observe: ({ scrapes }) => scrapes.length > 0, without: true, with: false },
  'require-server-metrics': {
    requires: `--server-metrics ${server.url}/silent/metrics`,
    observe: ({ code }) => code,
    without: 0,
    with: 1,
  },
  'gpu-telemetry': {
    observe: ({ readJson }) => readJson(DOCUMENT).input_config.gpu_telemetry.urls,
    without: undefined,
    with: ['http://127.0.0.1:9/gpus/metrics'],
  },
  'no-gpu-telemetry': {
    observe: ({ readJson }) => readJson(DOCUMENT).input_config.gpu_telemetry.enabled,
    without: true,
    with: false,
  },
  gpus: {
    observe: ({ readJson }) => readJson(DOCUMENT).servelens_config.gpus,
    without: undefined,
    with: ['0'],
  },
  'gpu-map': {
    words: `--gpu-map ${new URL(server.url).host}=0`,
    observe: ({ readJson }) => readJson(DOCUMENT).servelens_config.gpu_map,
    without: undefined,
    with: [`${new URL(server.url).host}=0`],
  },
  'server-metrics-header': { observe: readScrapeHeader('x-scrape'), without: undefined, with: '1' },
  config: {
    observe: ({ scrapes }) => scrapes.some(({ path }) => path === '/configured/metrics'),
    without: false,
    with: true,
  },
  'bearer-token-file': {
    observe: readScrapeHeader('authorization'),
    without: undefined,
    with: 'Bearer secret-token',
  },
  'basic-auth-file': {
    observe: readScrapeHeader('authorization'),
    without: undefined,
    with: `Basic ${btoa('user:password')}`,
  },
  limit: {
    observe: ({ readJson }) =>
      Object.values<{ last_error_reason?: string }>(readJson(SERVER_DOCUMENT).summary.endpoint_info)[0]!
        .last_error_reason,
    without: undefined,
    with: 'too_many_samples',
  },
  compressed: {
    observe: ({ scrapes }) => /gzip/.test(String(scrapes[0]!.headers['accept-encoding'])),
    without: false,
    with: true,
  },
  settle: { observe: hasLine(/counters stopped changing/), without: false, with: true },
  'ca-file': { requires: TLS, observe: readErrors, without: ['TlsError'], with: [] },
  'cert-file': {
    requires: `${TLS} --insecure`,
    observe: ({ requests }) => requests[0]!.certificate,
    without: undefined,
    with: 'localhost',
  },
  'key-file': {
    requires: `${TLS} --insecure`,
    observe: ({ requests }) => requests[0]!.certificate,
    without: undefined,
    with: 'localhost',
  },
  insecure: { requires: TLS, observe: readErrors, without: ['TlsError'], with: [] },
  quiet: { observe: hasLine(/INFO/), without: true, with: false },
  live: {
    requires: `${WAIT} --request-count 1`,
    observe: ({ err }) => err.includes('\u001B['),
    without: false,
    with: true,
  },
};

/** Options whose effect a short run does not show, and the tests that show it. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.keys(SEARCH_SAMPLES).map(name => [name, '../profile/search/readSearch.test.ts']),
  ),
  ...Object.fromEntries(Object.keys(PUSH_SAMPLES).map(name => [name, 'push.test.ts'])),
  ...Object.fromEntries(Object.keys(DISCOVERY_SAMPLES).map(name => [name, 'discovery.test.ts'])),
  'memory-limit': '../memoryLimit.test.ts',
  // The effect requires a terminal.
  ui: 'display.test.ts',
  'plot-required': '../profile/autoPlot.test.ts',
  // The effect requires a Hugging Face cache.
  'tokenizer-revision': '../profile/tokenizerName.test.ts',
  web: 'web.test.ts',
  shard: '../profile/shardPlan.test.ts',
  'start-at': '../profile/startAt.test.ts',
};

test('every option of profile has an observed effect', () => {
  const declared = profileCommand.optionGroups.flatMap(({ options }) => Object.keys(options));
  expect([...Object.keys(EFFECTS), ...Object.keys(TESTED_ELSEWHERE)].toSorted()).toEqual(declared.toSorted());
  for (const [name, file] of Object.entries(TESTED_ELSEWHERE))
    expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toContain(`--${name}`);
  expect(Object.keys(PROFILE_SAMPLES).toSorted()).toEqual(declared.toSorted());
});

/** Merges options: of an option that occurs in several lines, the last line is used. */
function mergeOptions(...lines: readonly string[]): string[] {
  const values = new Map<string, string[]>();
  for (const line of lines) {
    const inLine = new Map<string, string[]>();
    let name = '';
    for (const word of splitWords(line)) {
      if (word.startsWith('--')) name = word;
      inLine.set(name, [...(inLine.get(name) ?? []), word]);
    }
    for (const [option, words] of inLine) values.set(option, words);
  }
  return [...values.values()].flat();
}

const runs = new Map<string, Promise<ObservedRun>>();

/** Runs `servelens profile` once per set of options and attempt of a test. */
function run(attempt: number, ...lines: readonly string[]): Promise<ObservedRun> {
  const base = `--model m --url ${server.url} --isl 10 --random-seed 7`;
  const options = mergeOptions(base, ...lines);
  if (options.includes('--input-file') || options.includes('--public-dataset'))
    options.splice(options.indexOf('--isl'), 2);
  const key = `${attempt} ${options.join(' ')}`;
  const folder = join(cwd, `run-${runs.size}`);
  const words = options.includes('--artifact-dir') ? options : [...options, '--artifact-dir', folder];
  const observed = runs.get(key) ?? observeRun(['profile', ...words], cwd, folder, server);
  runs.set(key, observed);
  return observed;
}

for (const [name, effect] of Object.entries(EFFECTS))
  test(`--${name}`, async ({ task }) => {
    const attempt = task.result?.retryCount ?? 0;
    const sample = PROFILE_SAMPLES[name]!;
    const requires = effect.requires ?? sample.requires ?? '';
    expect(effect.observe(await run(attempt, requires))).toEqual(effect.without);
    expect(effect.observe(await run(attempt, requires, effect.words ?? sample.words))).toEqual(effect.with);
  });
