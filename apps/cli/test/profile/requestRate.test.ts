import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@org/terminal';
import { describe, expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const cwd = makeSuiteFolder();
const writeSeries = (name: string, document: unknown): string => {
  const path = join(cwd, name);
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document));
  return path;
};
const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan;
const TURNS = '--conversation-turn-mean 3';
const STREAM = '--streaming --concurrency 4';
const POINTS = [
  { time_s: 0, qps: 5 },
  { time_s: 60, qps: 20.5 },
];
const SERIES = [
  { timeS: 0, perSecond: 5 },
  { timeS: 60, perSecond: 20.5 },
];

test.each([
  ['points in a list', POINTS],
  ['points in an object', { points: POINTS }],
])('reads %s', (name, document) => {
  const file = writeSeries(`${name.replaceAll(' ', '-')}.json`, document);
  expect(read(`--request-rate-series ${file}`).profiling).toMatchObject({
    rate: 5,
    rateSeries: SERIES,
    pattern: 'poisson',
  });
});

test.each([
  ['--request-rate inf --concurrency 3', { concurrency: 3, requestCount: 10 }],
  ['--request-rate Infinity --request-count 30', { concurrency: 30, requestCount: 30 }],
  ['--request-rate inf --num-sessions 7', { concurrency: 7, sessionCount: 7 }],
  ['--request-rate inf', { concurrency: 10, requestCount: 10 }],
  ['--request-rate inf --concurrency 2 --benchmark-duration 5', { concurrency: 2, durationS: 5 }],
])('%s starts requests as fast as the concurrency allows', (line, profiling) => {
  expect(read(line).profiling).toEqual(profiling);
});

test('an unlimited rate requires a limit of the requests at the same time', () => {
  expect(() => read('--request-rate inf --benchmark-duration 5')).toThrow(
    '--request-rate inf requires --concurrency, --request-count or --num-sessions, which limit the requests at the same time',
  );
});

test.each([
  ['not JSON', '{', 'not valid JSON'],
  ['one point', [POINTS[0]], 'expected a list of at least 2 points'],
  ['no points', {}, 'expected a list of at least 2 points'],
  ['null points', [null, null], 'time_s of point 0 is undefined'],
  ['equal times', [POINTS[0], POINTS[0]], 'time_s of point 1 is 0; expected ascending numbers'],
  [
    'a rate of 0',
    [POINTS[0], { time_s: 1, qps: 0 }],
    'qps of point 1 is 0; expected a number greater than 0',
  ],
])('rejects a series of rates with %s', (name, document, message) => {
  const file = writeSeries(`${name.replaceAll(' ', '-')}.json`, document);
  expect(() => read(`--request-rate-series ${file}`)).toThrow(message);
});

test('rejects a series of rates that cannot be read', () => {
  expect(() => read(`--request-rate-series ${join(cwd, 'missing.json')}`)).toThrow(
    /invalid --request-rate-series ".*missing.json": no such file/,
  );
});

test('reads the users that share a rate, with at least one request each', () => {
  expect(read(`--user-centric-rate 8 --num-users 20 ${TURNS}`).profiling).toEqual({
    rate: 8,
    users: 20,
    requestCount: 20,
  });
});

test.each([
  [`--user-centric-rate 8 ${TURNS}`, '--user-centric-rate requires --num-users'],
  ['--num-users 3', '--num-users requires --user-centric-rate'],
  [
    '--user-centric-rate 8 --num-users 3',
    'requires conversations of several turns; set --conversation-turn-mean',
  ],
  [
    `--user-centric-rate 8 --num-users 3 --request-rate 2 ${TURNS}`,
    'cannot use both --request-rate and --user-centric-rate',
  ],
  [
    `--user-centric-rate 8 --num-users 30 --request-count 20 ${TURNS}`,
    'invalid --request-count 20: expected at least the number of users, 30',
  ],
  [
    `--user-centric-rate 8 --num-users 30 --num-sessions 20 ${TURNS}`,
    'invalid --num-sessions 20: expected at least the number of users, 30',
  ],
  ['--prefill-concurrency 2 --concurrency 4', '--prefill-concurrency requires --streaming'],
  [
    '--prefill-concurrency 8 --streaming --concurrency 4',
    'invalid --prefill-concurrency 8: expected at most the concurrency, 4',
  ],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});

describe('the warm-up', () => {
  test.each([
    [
      'has the ramps of profiling',
      '--concurrency-ramp-duration 3 --warmup-duration 9',
      { concurrencyRampS: 3 },
    ],
    [
      'has the prefill concurrency of profiling',
      '--prefill-concurrency 2 --prefill-concurrency-ramp-duration 1 --warmup-duration 9',
      { prefillConcurrency: 2, prefillRampS: 1 },
    ],
    [
      'has ramps and a prefill concurrency of its options',
      '--concurrency-ramp-duration 3 --prefill-concurrency 4 --warmup-duration 9 --warmup-concurrency-ramp-duration 5 --warmup-prefill-concurrency 2 --warmup-prefill-concurrency-ramp-duration 6',
      { concurrencyRampS: 5, prefillConcurrency: 2, prefillRampS: 6 },
    ],
    ['ends after a number of sessions', '--num-warmup-sessions 7', { sessionCount: 7, concurrency: 4 }],
    [
      'limits the prefill concurrency of profiling to its concurrency',
      '--prefill-concurrency 3 --num-warmup-sessions 7 --warmup-concurrency 2',
      { prefillConcurrency: 2, concurrency: 2 },
    ],
  ])('%s', (_, line, expected) => {
    expect(read(`${STREAM} ${line}`).warmup).toMatchObject(expected);
  });

  test('has no users and no rates over time', () => {
    const file = writeSeries('warmup.json', POINTS);
    for (const line of [`--user-centric-rate 8 --num-users 2 ${TURNS}`, `--request-rate-series ${file}`]) {
      const { warmup } = read(`${line} --warmup-request-count 3`);
      expect(warmup).toEqual({ concurrency: 1, requestCount: 3, graceS: Number.POSITIVE_INFINITY });
    }
  });
});
