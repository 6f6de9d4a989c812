import { describe, expect, test } from 'vitest';
import yargs from 'yargs';
import { declareOptions } from '../../src/collect/declaration.ts';
import { type CollectOptions, readOptions } from '../../src/collect/options.ts';
import { UsageError } from '../../src/usage.ts';
import { testIo } from '../io.ts';

function read(line: string, env: Record<string, string> = {}): CollectOptions {
  const parser = declareOptions(
    yargs().parserConfiguration({ 'populate--': true, 'boolean-negation': false }),
  );
  const raw = parser.exitProcess(false).parseSync(`collect ${line}`);
  return readOptions(raw, testIo('/home/me', env), 'run-1');
}

test('defaults', () => {
  const options = read('--server-metrics localhost:1');
  expect(options).toMatchObject({
    enabled: true,
    command: [],
    warmupSeconds: 0,
    formats: ['json', 'csv', 'parquet'],
    parquetPartition: false,
    folder: '/home/me/artifacts/run-1',
    required: false,
    live: false,
  });
  expect(options.sliceSeconds).toBeUndefined();
});

test('--url comes first, endpoints keep their order, each once', () => {
  const { targets } = read('--server-metrics a:1 b:2 --url b:2 c:3');
  expect(targets.map(({ url }) => url)).toEqual([
    'http://b:2/metrics',
    'http://c:3/metrics',
    'http://a:1/metrics',
  ]);
});

test('a command stands behind --, its options are its own', () => {
  const { command, targets } = read('--server-metrics a:1 -- bench --url x -- y');
  expect(command).toEqual(['bench', '--url', 'x', '--', 'y']);
  expect(targets).toHaveLength(1);
});

test('aliases', () => {
  expect(read('--server-metrics a:1 --output-artifact-dir out --profile-export-file b.json')).toMatchObject({
    folder: '/home/me/out',
    prefix: 'b',
  });
});

test.each([
  ['--url a:1', true],
  ['--url a:1 --artifact-dir x', false],
])('whether the folder is our own: %s', (line, own) => {
  expect(read(line).folderIsOwn).toBe(own);
});

test('-- with nothing behind it', () => {
  const raw = { url: ['a:1'], '--': [] };
  expect(() => readOptions(raw, testIo('/home/me'), 'run-1')).toThrow(/a command is missing behind --/);
});

describe('mistakes are named', () => {
  test.each([
    ['', /nothing to scrape; name endpoints with --server-metrics or a server with --url/],
    ['--server-metrics myhost', /cannot scrape "myhost": it has neither scheme nor port; expected host:port/],
    ['--server-metrics a:1 --no-server-metrics', /cannot use both --server-metrics and --no-server-metrics/],
    ['--no-server-metrics', /--no-server-metrics needs a command behind --/],
    [
      '--server-metrics a:1 --slice-duration 0',
      /--slice-duration is 0; expected a number of seconds, at least 0.001/,
    ],
    [
      '--server-metrics a:1 --warmup-duration -1',
      /--warmup-duration is -1; expected a number of seconds, at least 0/,
    ],
    [
      '--server-metrics a:1 --duration abc',
      /--duration is "abc"; expected a number of seconds, at least 0.001/,
    ],
    [
      '--server-metrics a:1 --duration 1 --duration 2',
      /--duration is given 2 times, as 1 and 2; expected one/,
    ],
    [
      '--server-metrics a:1 --artifact-dir x --output-artifact-dir y',
      /--artifact-dir is given 2 times, as "x" and "y"; expected one value/,
    ],
    ["--server-metrics a:1 --artifact-dir ''", /--artifact-dir is ""; expected a folder/],
    [
      '--server-metrics a:1 --profile-export-prefix x --profile-export-file y',
      /--profile-export-prefix is given 2 times/,
    ],
    ["--server-metrics a:1 --profile-export-prefix ''", /--profile-export-prefix is ""; expected/],
    [
      '--server-metrics a:1 --percentile-method linear --percentile-method moments',
      /--percentile-method is given 2 times/,
    ],
    ['--server-metrics a:1 --duration 3 -- sleep 1', /cannot use --duration with a command/],
    ['--url a:1 --duration 3 sleep 1', /cannot use "sleep"; a command stands behind --/],
  ])('%s', (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });
});
