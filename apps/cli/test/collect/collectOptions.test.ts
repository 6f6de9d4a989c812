import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@org/terminal';
import { beforeAll, describe, expect, test } from 'vitest';
import { HOME, readCollect, splitWords } from '../support/options.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const read = (line: string) => readCollect(splitWords(line));

test('returns the defaults', async () => {
  const options = await read('--server-metrics localhost:1');
  expect(options).toMatchObject({
    enabled: true,
    command: [],
    plan: {
      warmupSeconds: 0,
      exports: { formats: ['json', 'csv', 'parquet'], parquetPartition: false },
      folder: join(HOME, 'artifacts/run-1'),
    },
    hasDefaultFolder: true,
    required: false,
    display: 'none',
  });
  expect(options.plan.exports!.sliceSeconds).toBeUndefined();
});

test('lists the endpoints of --url first, without duplicates', async () => {
  const { plan } = await read('--server-metrics a:1 b:2 --url b:2 c:3');
  expect(plan.targets.map(({ url }) => url)).toEqual([
    'http://b:2/metrics',
    'http://c:3/metrics',
    'http://a:1/metrics',
  ]);
});

test('reads the command after --', async () => {
  const { command, plan } = await read('--server-metrics a:1 -- bench --url x -- y');
  expect(command).toEqual(['bench', '--url', 'x', '--', 'y']);
  expect(plan.targets).toHaveLength(1);
});

test('accepts aliases', async () => {
  const { plan } = await read('--server-metrics a:1 --output-artifact-dir out --profile-export-file b.json');
  expect(plan).toMatchObject({ folder: join(HOME, 'out'), prefix: 'b' });
});

test('hasDefaultFolder is false if --artifact-dir is set', async () => {
  expect((await read('--url a:1 --artifact-dir x')).hasDefaultFolder).toBe(false);
});

test.each([
  ['', undefined],
  ['--settle', 10],
  ['--settle 2.5', 2.5],
  ['--settle=3', 3],
  ['--settle -- bench', 10],
])('reads --settle from %j', async (line, seconds) => {
  expect((await read(`--url a:1 ${line}`)).plan.settleSeconds).toBe(seconds);
});

test.each([
  ['--url a:1 --settle 0', /invalid --settle "0": expected a number of seconds, at least 0.001/],
  ['--url a:1 --settle soon', /invalid --settle "soon": expected a number of seconds/],
  ['--url a:1 --settle 1 --settle', /--settle is set 2 times/],
  ['', /nothing to scrape; set --server-metrics or --url/],
  ['--server-metrics myhost', /cannot scrape "myhost": scheme and port are missing; expected host:port/],
  ['--server-metrics a:1 --no-server-metrics', /cannot use both --server-metrics and --no-server-metrics/],
  ['--no-server-metrics', /--no-server-metrics requires a command after --/],
  [
    '--server-metrics a:1 --slice-duration 0',
    /invalid --slice-duration "0": expected a number of seconds, at least 0.001/,
  ],
  [
    '--server-metrics a:1 --warmup-duration -1',
    /invalid --warmup-duration "-1": expected a number of seconds, at least 0/,
  ],
  [
    '--server-metrics a:1 --duration abc',
    /invalid --duration "abc": expected a number of seconds, at least 0.001/,
  ],
  [
    '--server-metrics a:1 --duration 1 --duration 2',
    /--duration is set 2 times, to "1" and "2"; expected one/,
  ],
  [
    '--server-metrics a:1 --artifact-dir x --output-artifact-dir y',
    /--artifact-dir is set 2 times, to "x" and "y"; expected one value/,
  ],
  ['--server-metrics a:1 --artifact-dir=', /invalid --artifact-dir "": expected a folder/],
  [
    '--server-metrics a:1 --profile-export-prefix x --profile-export-file y',
    /--profile-export-prefix is set 2 times/,
  ],
  ['--server-metrics a:1 --profile-export-prefix=', /invalid --profile-export-prefix "": expected/],
  [
    '--server-metrics a:1 --percentile-method linear --percentile-method moments',
    /--percentile-method is set 2 times/,
  ],
  ['--server-metrics a:1 --duration 3 -- sleep 1', /cannot use --duration with a command/],
  ['--url a:1 --duration 3 sleep 1', /unexpected argument "sleep"; a command must follow --/],
  ['--url a:1 --', /missing command after --/],
])('rejects %j', async (line, message) => {
  const options = read(line);
  await expect(options).rejects.toThrow(UsageError);
  await expect(options).rejects.toThrow(message);
});

describe('with a configuration file', () => {
  const folder = makeSuiteFolder();
  beforeAll(() => {
    writeFileSync(join(folder, 'token'), 't0ken');
    writeFileSync(join(folder, 'other'), '0ther');
    writeFileSync(
      join(folder, 'c.yaml'),
      `
defaults: { timeout: 5, headers: { A: file, B: file } }
targets:
  - url: a:1
    bearer_token_file: other
    interval: 1
  - url: http://me:hunter2@b:1
    limits: { samples: 5, labels: 6 }
`,
    );
    writeFileSync(join(folder, 'no-targets.yaml'), 'defaults: { interval: 2 }');
  });

  const readInFolder = async (...words: string[]) => (await readCollect(words, folder)).plan;

  test('target settings in the file apply to these targets, and its defaults to all endpoints', async () => {
    const { targets, settings, config } = await readInFolder(
      ...['--config', 'c.yaml', '--url', 'c:1', '--server-metrics', 'a:1'],
    );
    expect(config).toBe('c.yaml');
    expect(settings!.intervalMs).toBe(333);
    expect(targets.map(({ url }) => url)).toEqual(
      ['c:1', 'a:1', 'b:1'].map(host => `http://${host}/metrics`),
    );
    const [c, a, b] = targets;
    expect(c!.access).toEqual({ timeoutMs: 5000, headers: { A: 'file', B: 'file' } });
    expect(a!.access).toMatchObject({ timeoutMs: 5000, intervalMs: 1000 });
    expect(await a!.access!.authorization!.readHeader()).toBe('Bearer 0ther');
    expect(b).toMatchObject({ credentials: { user: 'me' }, access: { limits: { samples: 5, labels: 6 } } });
  });

  test('options take precedence over the file', async () => {
    const { targets } = await readInFolder(
      ...['--config', 'c.yaml', '--timeout', '3', '--header', 'a: option', '--limit', 'samples=7'],
      ...['--bearer-token-file', 'token'],
    );
    for (const { access, credentials } of targets) {
      expect(credentials).toBeUndefined();
      expect(access).toMatchObject({ timeoutMs: 3000, headers: { a: 'option', B: 'file' } });
      expect(Object.keys(access!.headers!)).toHaveLength(2);
      expect(await access!.authorization!.readHeader()).toBe('Bearer t0ken');
    }
    expect(targets[1]!.access!.limits).toEqual({ samples: 7, labels: 6 });
  });

  test('the default interval of the file applies to the run', async () => {
    expect((await readInFolder('--config', 'no-targets.yaml', '--url', 'a:1')).settings!.intervalMs).toBe(
      2000,
    );
  });

  test('rejects a file without targets if no endpoint is set', async () => {
    await expect(readInFolder('--config', 'no-targets.yaml')).rejects.toThrow(
      /nothing to scrape; .*; no-targets.yaml lists no targets$/,
    );
  });

  test('rejects an invalid file without showing its content', async () => {
    await expect(readInFolder('--server-metrics', 'a:1', '--config', 'token')).rejects.toThrow(
      new UsageError(
        'invalid configuration file token:\ntoken:1:1: invalid configuration: text (hidden); expected a mapping with defaults, targets, sources, discovery and servers',
      ),
    );
  });
});
