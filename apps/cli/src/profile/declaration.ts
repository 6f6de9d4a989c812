import { PERCENTILE_METHODS } from '@org/core';
import { ARRIVAL_PATTERNS, EMBEDDED_TOKENIZER, ENDPOINTS } from '@org/loadgen';
import { DEFAULT_FORMATS, FORMATS } from '@org/record';
import { DATASET_TYPES } from '@org/run';
import type { Argv, Options } from 'yargs';
import { ACCESS_OPTIONS } from '../collect/accessoptions.ts';
import { layoutOptionsIn } from '../export/layouts.ts';
import { MEMORY_OPTION } from '../memory.ts';
import { SAMPLINGS } from './inputoptions.ts';
import { REPEAT_OPTIONS } from './repeat/repetition.ts';

const TARGET = 'What is asked:';
const LOAD = 'Load:';
const WARMUP = 'Warm-up, left out of all results:';
const INPUT = 'Inputs:';
const TOKENS = 'Tokens:';
const OUT = 'Results:';
const METRICS = 'Server metrics:';
const LOOK = 'While it runs:';

type Table = Readonly<Record<string, Options>>;

/** An option with a value. Numbers have no type of yargs, which would keep NaN of what is none. */
function value(group: string, describe: string, more: Options = {}): Options {
  return { group, describe, requiresArg: true, ...more };
}

function text(group: string, describe: string, more: Options = {}): Options {
  return value(group, describe, { string: true, ...more });
}

function flag(group: string, describe: string): Options {
  return { group, describe, boolean: true, default: false };
}

const TARGET_OPTIONS: Table = {
  model: text(TARGET, 'Model to ask', { alias: 'm' }),
  url: text(TARGET, 'Servers, asked in turn', {
    alias: 'u',
    array: true,
    defaultDescription: 'localhost:8000',
  }),
  'endpoint-type': text(TARGET, 'API to speak', { choices: Object.keys(ENDPOINTS), default: 'chat' }),
  endpoint: text(TARGET, "Path instead of the API's own", {
    alias: 'custom-endpoint',
    defaultDescription: '/v1/chat/completions, ...',
  }),
  streaming: flag(TARGET, 'Ask for answers as streams'),
  header: text(TARGET, "'Name: value' to send; may be given several times", {
    alias: 'H',
    array: true,
    nargs: 1,
  }),
  'api-key': text(TARGET, 'Sent as Authorization: Bearer'),
  'extra-inputs': text(TARGET, 'Fields for every request: name:value, or a JSON object', { array: true }),
  'use-legacy-max-tokens': flag(TARGET, 'Say max_tokens, as older servers have it'),
  'request-timeout-seconds': value(TARGET, 'Most seconds for a request', { defaultDescription: '21600' }),
  'connection-reuse-strategy': text(TARGET, 'Keep connections, or make one for each request', {
    choices: ['pooled', 'never'],
    default: 'pooled',
  }),
};

const LOAD_OPTIONS: Table = {
  concurrency: value(LOAD, 'Requests under way at a time', {
    defaultDescription: '1; no limit with a rate',
  }),
  'request-rate': value(LOAD, 'Requests/s, sent by the clock'),
  'arrival-pattern': text(LOAD, 'How they arrive', { choices: ARRIVAL_PATTERNS, default: 'poisson' }),
  'arrival-smoothness': value(LOAD, 'Shape of gamma: below 1 bursts, above 1 regular'),
  'request-count': value(LOAD, 'End after so many requests', {
    alias: 'num-requests',
    defaultDescription: '10, or twice the concurrency',
  }),
  'num-sessions': value(LOAD, 'Begin at most so many conversations', { alias: 'conversation-num' }),
  'benchmark-duration': value(LOAD, 'Send nothing more after so many seconds'),
  'benchmark-grace-period': value(LOAD, 'Seconds that requests may go on then, or inf', {
    defaultDescription: '30',
  }),
  'concurrency-ramp-duration': value(LOAD, 'Seconds in which the concurrency rises'),
  'request-rate-ramp-duration': value(LOAD, 'Seconds in which the rate rises'),
  'request-cancellation-rate': value(LOAD, 'Percent of the requests that are hung up'),
  'request-cancellation-delay': value(LOAD, 'Seconds from sending to hanging up', {
    defaultDescription: '0',
  }),
  workers: value(LOAD, 'Threads that send the requests, beside the one that scrapes and writes', {
    alias: 'workers-max',
    defaultDescription: 'none: the same thread',
  }),
  'random-seed': value(LOAD, 'Seed that repeats a run to the byte', {
    defaultDescription: 'another one each time',
  }),
};

const WARMUP_OPTIONS: Table = {
  'warmup-request-count': value(WARMUP, 'Requests of the warm-up', { alias: 'num-warmup-requests' }),
  'warmup-duration': value(WARMUP, 'Seconds of the warm-up'),
  'warmup-concurrency': value(WARMUP, 'Requests under way at a time', { defaultDescription: 'as later' }),
  'warmup-request-rate': value(WARMUP, 'Requests/s', { defaultDescription: 'as later' }),
  'warmup-arrival-pattern': text(WARMUP, 'How they arrive', {
    choices: ARRIVAL_PATTERNS,
    defaultDescription: 'as later',
  }),
  'warmup-grace-period': value(WARMUP, 'Seconds that requests may go on, or inf', {
    defaultDescription: 'inf',
  }),
};

const INPUT_OPTIONS: Table = {
  'synthetic-input-tokens-mean': value(INPUT, 'Mean tokens of a prompt', {
    alias: ['isl', 'prompt-input-tokens-mean'],
    defaultDescription: '550',
  }),
  'synthetic-input-tokens-stddev': value(INPUT, 'Their standard deviation', {
    alias: ['isl-stddev', 'prompt-input-tokens-stddev'],
    defaultDescription: '0',
  }),
  'output-tokens-mean': value(INPUT, 'Mean tokens asked for in an answer', {
    alias: ['osl', 'prompt-output-tokens-mean'],
    defaultDescription: 'left to the server',
  }),
  'output-tokens-stddev': value(INPUT, 'Their standard deviation', {
    alias: ['osl-stddev', 'prompt-output-tokens-stddev'],
    defaultDescription: '0',
  }),
  'conversation-turn-mean': value(INPUT, 'Mean turns of a conversation', { defaultDescription: '1' }),
  'conversation-turn-stddev': value(INPUT, 'Their standard deviation', { defaultDescription: '0' }),
  'conversation-turn-delay-mean': value(INPUT, 'Mean ms between an answer and the next turn', {
    defaultDescription: '0',
  }),
  'conversation-turn-delay-stddev': value(INPUT, 'Their standard deviation', { defaultDescription: '0' }),
  'shared-system-prompt-length': value(INPUT, 'Tokens of one system prompt for all'),
  'num-dataset-entries': value(INPUT, 'Different conversations, used round and round', {
    alias: 'num-prompts',
    defaultDescription: 'no end',
  }),
  'input-file': text(INPUT, 'JSONL file of prompts, conversations or a trace'),
  'custom-dataset-type': text(INPUT, 'What the file holds', {
    choices: DATASET_TYPES,
    defaultDescription: 'as its first line looks',
  }),
  'dataset-sampling-strategy': text(INPUT, 'In which order the file is taken', {
    choices: SAMPLINGS,
    default: 'sequential',
  }),
  'fixed-schedule': flag(INPUT, 'Send when the timestamps of the file say'),
  'fixed-schedule-start-offset': value(INPUT, 'Begin at so many ms of a trace'),
  'fixed-schedule-end-offset': value(INPUT, 'End at so many ms of a trace'),
};

const TOKEN_OPTIONS: Table = {
  tokenizer: text(TOKENS, 'o200k_base, or the path of a tokenizer.json', { default: EMBEDDED_TOKENIZER }),
  'use-server-token-count': flag(TOKENS, "The server's usage counts, no tokenizer"),
};

const RESULT_OPTIONS: Table = {
  goodput: text(OUT, 'Limits of a good request: "time_to_first_token:200 ..."', { array: true }),
  'slice-duration': value(OUT, 'Seconds of a timeslice; none without it'),
  'artifact-dir': text(OUT, 'Folder for the exports', {
    alias: 'output-artifact-dir',
    defaultDescription: './artifacts/<model>-<API>-<load>',
  }),
  'profile-export-prefix': text(OUT, 'Names the files <prefix>.json, <prefix>_timeslices.*, ...', {
    alias: 'profile-export-file',
  }),
  'show-trace-timing': flag(OUT, 'Show the steps of the HTTP requests, too'),
};

const { header: _header, timeout: _timeout, ...SHARED_ACCESS } = ACCESS_OPTIONS;

const METRICS_OPTIONS: Table = {
  'server-metrics': text(METRICS, 'Further endpoints to scrape, beside <url>/metrics', { array: true }),
  'no-server-metrics': { group: METRICS, boolean: true, describe: 'Scrape nothing' },
  'require-server-metrics': flag(METRICS, 'Fail when an endpoint gave no data'),
  'server-metrics-formats': value(METRICS, 'Formats to write', {
    array: true,
    choices: FORMATS,
    defaultDescription: JSON.stringify(DEFAULT_FORMATS),
  }),
  'server-metrics-header': text(METRICS, "'Name: value' for scraping; may be given several times", {
    array: true,
    nargs: 1,
  }),
  ...layoutOptionsIn(METRICS),
  'percentile-method': value(METRICS, 'How percentiles of buckets are estimated', {
    choices: Object.keys(PERCENTILE_METHODS),
    default: 'moments',
  }),
  settle: {
    group: METRICS,
    describe: 'Before and after profiling, wait until idle servers stand still, so many seconds at most (10)',
  },
  'keep-journal': flag(METRICS, 'Keep the journal once the exports are written'),
  'memory-limit': { group: METRICS, ...MEMORY_OPTION },
};

const LOOK_OPTIONS: Table = {
  quiet: { ...flag(LOOK, 'Say nothing but warnings and the result'), alias: 'q' },
  live: { group: LOOK, boolean: true, describe: 'Show the live line [default: on a terminal]' },
};

/** Declares the options of `servelens profile` on a yargs command. */
export function declareProfile(yargs: Argv): Argv {
  return yargs
    .options({
      ...TARGET_OPTIONS,
      ...LOAD_OPTIONS,
      ...WARMUP_OPTIONS,
      ...INPUT_OPTIONS,
      ...TOKEN_OPTIONS,
      ...RESULT_OPTIONS,
      ...REPEAT_OPTIONS,
      ...METRICS_OPTIONS,
      ...SHARED_ACCESS,
      ...LOOK_OPTIONS,
    })
    .example('$0 profile -m m --url localhost:8000 --streaming --concurrency 16', 'closed loop')
    .example('$0 profile -m m --request-rate 20 --benchmark-duration 60', 'open loop at localhost:8000')
    .example('$0 profile -m m --concurrency 1,2,4,8 --num-profile-runs 3', 'a sweep, with intervals')
    .example('$0 profile -m m --input-file trace.jsonl --fixed-schedule', 'a trace, at its own times')
    .epilogue(
      'Exit code: 0 requests were answered, 1 none was or an export is missing, 2 a mistake in the options, 130 interrupted. ' +
        'Environment: see servelens collect --help.',
    );
}
