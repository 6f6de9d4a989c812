import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { mergeOptions } from '../../src/runFile/mergeOptions.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { readRun } from './readOptions.ts';

const folder = makeSuiteFolder();

const TEXT = `benchmark:
  model: m
  endpoint: { url: "h:1", streaming: true, headers: { A: b } }
  dataset: { isl: { mean: 9, stddev: 2 } }
  profiling: { type: concurrency, concurrency: 4, requests: 7 }
  serverMetrics: { urls: ["h:2"], formats: [json] }
`;

async function merge(line: string): Promise<Readonly<Record<string, unknown>>> {
  const { options } = await readRun(folder, TEXT);
  return mergeOptions(profileCommand, options, line === '' ? [] : line.split(' ')).raw;
}

test('has the same options as the command line', async () => {
  const line =
    '--model m --url h:1 --streaming --header A:b --isl 9 --isl-stddev 2 --concurrency 4 --request-count 7 --server-metrics h:2 --server-metrics-formats json';
  const raw = mergeOptions(profileCommand, [], line.split(' ')).raw;
  expect(await merge('')).toEqual({ ...raw, header: ['A: b'] });
});

test.each<[string, string, unknown]>([
  ['--concurrency 9', 'concurrency', '9'],
  ['--num-requests 9', 'request-count', '9'],
  ['--isl 5', 'synthetic-input-tokens-mean', '5'],
  ['--isl 5', 'synthetic-input-tokens-stddev', '2'],
  ['-m n', 'model', ['n']],
  ['--url h:3 h:4', 'url', ['h:3', 'h:4']],
  ['--no-streaming', 'streaming', false],
  ['--no-server-metrics', 'server-metrics', undefined],
  ['--no-server-metrics', 'server-metrics-formats', undefined],
  ['--endpoint-type completions', 'endpoint-type', 'completions'],
  ['--config run.yaml', 'config', undefined],
])('with %s, the option %s is %j', async (line, name, value) => {
  expect((await merge(line))[name]).toEqual(value);
});
