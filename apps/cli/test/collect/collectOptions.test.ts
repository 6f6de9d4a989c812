import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CollectPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCommandLine, splitAtDashes } from '../../../../packages/terminal/dist/program/parse.js';
import { type CollectOptions, readCollectOptions } from '../../src/collect/collectOptions.ts';
import { collectCommand } from '../../src/commands/collect.ts';
import { testIo } from '../io.ts';

/** Reads the options in a command line of words, of which `''` is empty. */
async function read(line: string): Promise<CollectOptions> {
  const words = line.split(' ').filter(word => word !== '');
  return readWords(
    words.map(word => (word === "''" ? '' : word)),
    testIo('/home/me', {}),
  );
}

async function readWords(words: readonly string[], io: Io): Promise<CollectOptions> {
  const raw = parseCommandLine(collectCommand, words, 'servelens collect');
  const { childCommand } = splitAtDashes(words);
  return readCollectOptions(raw, { io, ...(childCommand ? { childCommand } : {}) }, 'run-1');
}

test('defaults', async () => {
  const options = await read('--server-metrics localhost:1');
  expect(options).toMatchObject({
    enabled: true,
    command: [],
    plan: {
      warmupSeconds: 0,
      exports: { formats: ['json', 'csv', 'parquet'], parquetPartition: false },
      folder: '/home/me/artifacts/run-1',
    },
    required: false,
    live: false,
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

test('the words after -- are the command', async () => {
  const { command, plan } = await read('--server-metrics a:1 -- bench --url x -- y');
  expect(command).toEqual(['bench', '--url', 'x', '--', 'y']);
  expect(plan.targets).toHaveLength(1);
});

test('aliases', async () => {
  const { plan } = await read('--server-metrics a:1 --output-artifact-dir out --profile-export-file b.json');
  expect(plan).toMatchObject({ folder: '/home/me/out', prefix: 'b' });
});

test.each([
  ['--url a:1', true],
  ['--url a:1 --artifact-dir x', false],
])('whether the folder has its default name: %s', async (line, hasDefault) => {
  expect((await read(line)).hasDefaultFolder).toBe(hasDefault);
});

test('rejects -- without a command', async () => {
  await expect(read('--url a:1 --')).rejects.toThrow(/missing command after --/);
});

test.each([
  ['', undefined],
  ['--settle', 10],
  ['--settle 2.5', 2.5],
  ['--settle=3', 3],
  ['--settle -- bench', 10],
])('reads --settle: %s', async (line, seconds) => {
  expect((await read(`--url a:1 ${line}`)).plan.settleSeconds).toBe(seconds);
});

describe('rejects', () => {
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
    ["--server-metrics a:1 --artifact-dir ''", /invalid --artifact-dir "": expected a folder/],
    [
      '--server-metrics a:1 --profile-export-prefix x --profile-export-file y',
      /--profile-export-prefix is set 2 times/,
    ],
    ["--server-metrics a:1 --profile-export-prefix ''", /invalid --profile-export-prefix "": expected/],
    [
      '--server-metrics a:1 --percentile-method linear --percentile-method moments',
      /--percentile-method is set 2 times/,
    ],
    ['--server-metrics a:1 --duration 3 -- sleep 1', /cannot use --duration with a command/],
    ['--url a:1 --duration 3 sleep 1', /unexpected argument "sleep"; a command must follow --/],
  ])('%s', async (line, message) => {
    const call = read(line);
    await expect(call).rejects.toThrow(UsageError);
    await expect(call).rejects.toThrow(message);
  });
});

describe('connection options and configuration file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'options-'));
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
    writeFileSync(join(folder, 'empty.yaml'), 'defaults: { interval: 2 }');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const inFolder = async (...words: string[]): Promise<CollectPlan> =>
    (await readWords(words, testIo(folder, {}))).plan;

  test('options apply to all endpoints', async () => {
    const { targets } = await inFolder(
      ...[
        '--server-metrics',
        'a:1',
        'b:1',
        '--bearer-token-file',
        'token',
        '--timeout',
        '2.5',
        '--compressed',
      ],
      ...[
        '-H',
        'A: 1: 2',
        '--header',
        'B:x ',
        '--limit',
        'samples=5',
        '--limit',
        'encoded-bytes=1MiB',
        '--insecure',
      ],
    );
    for (const { access } of targets) {
      expect(access).toMatchObject({
        timeoutMs: 2500,
        compressed: true,
        headers: { A: '1: 2', B: 'x' },
        limits: { samples: 5, encodedBytes: 1_048_576 },
        tls: { insecure: true },
      });
      expect(await access!.authorization!.value()).toBe('Bearer t0ken');
    }
    expect(targets[0]!.access!.authorization).toBe(targets[1]!.access!.authorization);
  });

  test('an endpoint without settings has no access', async () => {
    expect((await inFolder('--server-metrics', 'a:1')).targets[0]).not.toHaveProperty('access');
  });

  test('settings of the file apply to its targets, and its defaults to other endpoints', async () => {
    const { targets, settings, config } = await inFolder(
      '--config',
      'c.yaml',
      '--url',
      'c:1',
      '--server-metrics',
      'a:1',
    );
    expect(config).toBe('c.yaml');
    expect(settings!.intervalMs).toBe(333);
    expect(targets.map(({ url }) => url)).toEqual(
      ['c:1', 'a:1', 'b:1'].map(host => `http://${host}/metrics`),
    );
    const [c, a, b] = targets;
    expect(c!.access).toEqual({ timeoutMs: 5000, headers: { A: 'file', B: 'file' } });
    expect(a!.access).toMatchObject({ timeoutMs: 5000, intervalMs: 1000 });
    expect(await a!.access!.authorization!.value()).toBe('Bearer 0ther');
    expect(b).toMatchObject({ credentials: { user: 'me' }, access: { limits: { samples: 5, labels: 6 } } });
  });

  test('options take precedence over the file', async () => {
    const { targets } = await inFolder(
      ...['--config', 'c.yaml', '--timeout', '3', '--header', 'a: option', '--limit', 'samples=7'],
      ...['--bearer-token-file', 'token'],
    );
    for (const { access, credentials } of targets) {
      expect(credentials).toBeUndefined();
      expect(access).toMatchObject({ timeoutMs: 3000, headers: { a: 'option', B: 'file' } });
      expect(Object.keys(access!.headers!)).toHaveLength(2);
      expect(await access!.authorization!.value()).toBe('Bearer t0ken');
    }
    expect(targets[1]!.access!.limits).toEqual({ samples: 7, labels: 6 });
  });

  test('the default interval of the file applies to the run', async () => {
    expect((await inFolder('--config', 'empty.yaml', '--url', 'a:1')).settings!.intervalMs).toBe(2000);
  });

  test.each<[string[], RegExp]>([
    [
      ['--header', 'X-Key:', 'hunter2'],
      /^unexpected argument \(value hidden\); quote the value of --header$/,
    ],
    [['--header', 'hunter2'], /^--header number 1 is not a header; expected 'Name: value' on one line$/],
    [['--header', 'A: 1', '-H', 'A: x\ny'], /^--header number 2 is not a header/],
    [
      ['-H', 'A: 1', '-H', 'Expect: 100-continue'],
      /^--header number 2 is Expect, which is set by the HTTP client/,
    ],
    [
      ['-H', 'transfer-encoding: chunked'],
      /is transfer-encoding, .*expected a header other than content-length, expect, /,
    ],
    [
      ['--limit', 'sampels=5'],
      /^invalid --limit "sampels=5": expected NAME=N, with NAME one of encoded_bytes.*; did you mean samples\?$/,
    ],
    [['--limit', 'samples'], /^invalid --limit "samples": expected samples=N with an integer of at least 1$/],
    [
      ['--limit', 'encoded_bytes=0'],
      /expected encoded_bytes=N with an integer of at least 1 or a size such as 64MiB$/,
    ],
    [['--timeout', '0'], /^invalid --timeout "0": expected a number of seconds, at least 0.001$/],
    [
      ['--bearer-token-file', 'token', '--basic-auth-file', 'token'],
      /^cannot use both --bearer-token-file and --basic-auth-file$/,
    ],
    [
      ['--bearer-token-file', 'none'],
      /^--bearer-token-file: bearer token file ".*none" cannot be read: no such file$/,
    ],
    [['--ca-file', 'token'], /^--ca-file: CA file ".*token" has no certificate; expected PEM/],
    [['--key-file', 'token'], /^--key-file requires --cert-file$/],
    [
      ['--config', 'token'],
      /^invalid configuration file token:\ntoken:1:1: invalid configuration: text \(hidden\); expected defaults and targets$/,
    ],
  ])('%j', async (words, message) => {
    const call = inFolder('--server-metrics', 'a:1', ...words);
    await expect(call).rejects.toThrow(UsageError);
    await expect(call).rejects.toThrow(message);
  });

  test.skipIf(process.platform === 'win32')('a token file that is a pipe is read once', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    writeFileSync(
      join(folder, 'piped.yaml'),
      `defaults: { bearer_token_file: pipe }\ntargets: [{ url: a:1 }, { url: b:1, timeout: 5 }]\n`,
    );
    // Reading blocks this process, so that another one has to write.
    const writer = spawn('sh', ['-c', 'echo p1ped > "$0"', pipe], { stdio: 'ignore' });
    const written = once(writer, 'exit');
    const { targets } = await inFolder('--config', 'piped.yaml');
    const values = targets.map(({ access }) => access!.authorization!.value());
    expect(await Promise.all(values)).toEqual(['Bearer p1ped', 'Bearer p1ped']);
    expect(await written).toEqual([0, null]);
  });

  test('rejects a file without targets if no endpoint is named', async () => {
    await expect(inFolder('--config', 'empty.yaml')).rejects.toThrow(
      /nothing to scrape; .*; empty.yaml lists no targets$/,
    );
  });
});
