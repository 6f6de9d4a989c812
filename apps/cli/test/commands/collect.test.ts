import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ServerMetricsDocument, validate } from '@org/formats';
import { readServerMetricsJson } from '@org/formats/read';
import { replayJournal } from '@org/scrape';
import { createSimulator, type Simulator } from '@org/simulator';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/servelens.js', import.meta.url));
/** Short waits: the real ones are for real servers. */
const FAST = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1',
};

let simulator: Simulator;
let url = '';
let folder = '';

beforeAll(async () => {
  simulator = createSimulator({ seed: 3, arrivalRate: 20 });
  ({ url } = await simulator.listen(0));
});
afterAll(() => simulator.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'collect-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Said once the endpoints have been asked the first time. */
const ENABLED = 'Server metrics enabled';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when the output, of us or of the command, has this in it. */
  readonly says: (text: string) => Promise<void>;
  /** What the command has printed so far. */
  readonly out: () => string;
}

function start(args: readonly string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [BIN, 'collect', ...args], {
    cwd: folder,
    env: { ...process.env, ...FAST, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => endGroup(child.pid!));
  const said = { out: '', err: '' };
  child.stdout!.on('data', chunk => {
    said.out += chunk;
  });
  child.stderr!.on('data', chunk => {
    said.err += chunk;
  });
  const says = async (text: string): Promise<void> => {
    while (!said.out.includes(text) && !said.err.includes(text)) {
      if (child.exitCode !== null) throw new Error(`it ended without saying ${text}: ${said.err}`);
      await sleep(20);
    }
  };
  return {
    child,
    says,
    out: () => said.out,
    ended: new Promise(resolve => child.on('close', code => resolve({ code, ...said }))),
  };
}

/** Ends what a test that failed has left of a run: it and its command are a group of processes. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

const collect = (args: readonly string[], env?: Record<string, string>): Promise<Ended> =>
  start(args, env).ended;
const documentIn = async (name: string): Promise<ServerMetricsDocument> =>
  (await readServerMetricsJson(join(folder, name, 'server_metrics_export.json'))) as ServerMetricsDocument;

describe('with a command', () => {
  test('passes its exit code and output through, and writes valid exports', async () => {
    const script = 'setTimeout(() => { console.log("bench done"); process.exit(7) }, 900)';
    const formats = ['--server-metrics-formats', 'json', 'csv', 'parquet', 'jsonl'];
    const { code, out, err } = await collect([
      '--url',
      url,
      ...formats,
      '--slice-duration',
      '0.3',
      '--artifact-dir',
      'a',
      '--',
      process.execPath,
      '-e',
      script,
    ]);
    expect(code).toBe(7);
    expect(out).toBe('bench done\n');
    expect(err).toContain('Server metrics enabled - 1/1 endpoint reachable');
    expect(err).toContain('vLLM');
    expect(
      readdirSync(join(folder, 'a'))
        .filter(name => name.startsWith('server'))
        .sort(),
    ).toEqual([
      'server_metrics_export.csv',
      'server_metrics_export.json',
      'server_metrics_export.jsonl',
      'server_metrics_export.parquet',
    ]);
    for (const name of readdirSync(join(folder, 'a'))) {
      if (!name.startsWith('server')) continue;
      const { valid, issues } = await validate(join(folder, 'a', name));
      expect(
        issues.filter(({ severity }) => severity === 'error'),
        name,
      ).toEqual([]);
      expect(valid, name).toBe(true);
    }
  });

  test('exits with 127 if the command is not found, and with 128 + N if signal N ends it', async () => {
    const missing = await collect(['--url', url, '--artifact-dir', 'a', '--', 'no-such-command']);
    expect(missing).toMatchObject({ code: 127 });
    expect(missing.err).toContain('cannot run "no-such-command": command not found');
    expect(missing.err).not.toContain('    at ');
    const killed = await collect([
      '--url',
      url,
      '--artifact-dir',
      'b',
      '--',
      process.execPath,
      '-e',
      'process.kill(process.pid, "SIGKILL")',
    ]);
    expect(killed.code).toBe(137);
  });

  test('--no-server-metrics only runs the command', async () => {
    const { code, out } = await collect([
      '--no-server-metrics',
      '--',
      process.execPath,
      '-e',
      'console.log(1); process.exit(4)',
    ]);
    expect({ code, out }).toEqual({ code: 4, out: '1\n' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('fails without a reachable endpoint only with --require-server-metrics', async () => {
    const args = ['--server-metrics', '127.0.0.1:9', '--artifact-dir', 'a'];
    const lenient = await collect([...args, '--', process.execPath, '-e', '0']);
    expect(lenient.code).toBe(0);
    expect(await documentIn('a')).toMatchObject({
      summary: { endpoints_configured: ['http://127.0.0.1:9/metrics'], endpoints_successful: [] },
    });
    const strict = await collect([...args, '--require-server-metrics', '--', process.execPath, '-e', '0']);
    expect(strict.code).toBe(1);
    expect(strict.err).toContain('no data from http://127.0.0.1:9/metrics');
    const failed = await collect([
      ...args,
      '--require-server-metrics',
      '--',
      process.execPath,
      '-e',
      'process.exit(5)',
    ]);
    expect(failed.code).toBe(5);
  });
});

describe('with a duration', () => {
  test('excludes the warm-up from statistics', async () => {
    const { code } = await collect([
      '--url',
      url,
      '--warmup-duration',
      '0.6',
      '--duration',
      '0.6',
      '--artifact-dir',
      'a',
      '-q',
    ]);
    expect(code).toBe(0);
    const { summary } = await documentIn('a');
    const { profiling_start_ns, profiling_end_ns, start_time } = summary;
    const seconds = Number(profiling_end_ns! - profiling_start_ns!) / 1e9;
    expect(seconds).toBeGreaterThan(0.55);
    expect(seconds).toBeLessThan(10);
    const before = Number(profiling_start_ns! / 1_000_000n) - Date.parse(start_time);
    expect(before).toBeGreaterThan(550);
  });

  test('warns once of timeslices shorter than the update interval', async () => {
    const slice = ['--slice-duration', '0.001', '--server-metrics-formats', 'json', 'csv'];
    const { err } = await collect(['--url', url, '--duration', '0.5', ...slice, '--artifact-dir', 'a', '-q']);
    expect(
      err.match(
        /--slice-duration is shorter than the update interval of \S+; each sample interval is a timeslice/g,
      ),
    ).toHaveLength(1);
  });

  test('names the files with a prefix', async () => {
    await collect([
      '--url',
      url,
      '--duration',
      '0.2',
      '--artifact-dir',
      'a',
      '--profile-export-file',
      'mine.json',
      '--server-metrics-formats',
      'json',
    ]);
    expect(readdirSync(join(folder, 'a')).filter(name => name.endsWith('.json'))).toEqual([
      'mine_server_metrics.json',
    ]);
  });

  test('reports a folder that cannot be created without a stack trace', async () => {
    const { code, err } = await collect(['--url', url, '--duration', '0.2', '--artifact-dir', '/dev/null/x']);
    expect(code).toBe(2);
    expect(err).toMatch(/cannot use the artifact folder "\/dev\/null\/x": the file already exists/);
    expect(err).not.toContain('    at ');
  });
});

describe('with marks', () => {
  /** A command that makes marks, asks the server now and then, and says what came of it. */
  const script = `
    const { spawnSync } = require('node:child_process');
    const mark = (...words) => spawnSync(process.execPath, [${JSON.stringify(BIN)}, 'mark', ...words], { stdio: 'inherit' });
    const request = async () => (await fetch('URL/v1/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'servelens/simulated-8b', prompt: 'hello', max_tokens: 2 }),
    })).text();
    (async () => {
      await request();
      mark('profiling-start');
      for (let i = 0; i < 3; i++) await request();
      mark('note with --api-key hunter2secret');
      const { ppid } = process;
      while (process.argv[1] === 'orphan') {
        await new Promise(resolve => setTimeout(resolve, 50));
        if (process.ppid !== ppid) process.exit();
      }
      mark('profiling-end');
      await request();
      process.exit(mark('profiling-end').status);
    })();`;
  const told = { AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05' };
  let quiet: Simulator;
  let run: string[] = [];
  beforeAll(async () => {
    quiet = createSimulator({ seed: 4 });
    const address = await quiet.listen(0);
    const args = ['--url', address.url, '--warmup-duration', '60', '--artifact-dir', 'a'];
    run = [...args, '--', process.execPath, '-e', script.replace('URL', address.url)];
  });
  afterAll(() => quiet.close());

  /** Scrapes that a journal has behind its last mark. The second one at least was asked for behind it, too. */
  function scrapesBehindMarks(journal: string): number {
    const { marks, endpoints } = replayJournal(journal);
    const { originNs, offsetsNs } = endpoints[0]!.store.timeline();
    return offsetsNs.filter(offset => originNs + BigInt(offset) > marks.at(-1)!.atNs).length;
  }

  function requests({ metrics }: ServerMetricsDocument): number {
    const totals = metrics['vllm:request_success']!.series.map(
      ({ stats }) => (stats as { total: number }).total,
    );
    return totals.reduce((sum, total) => sum + total, 0);
  }

  test('a command marks the start and end of profiling, regardless of the warm-up', async () => {
    const { code, out, err } = await collect(run, told);
    expect(out).toMatch(/^profiling started at .*Z\nnoted at .*Z\nprofiling ended at .*Z\n$/);
    expect(code).toBe(1);
    expect(err).toContain('servelens mark: profiling has already ended');
    expect(err).not.toContain('hunter2secret');
    const document = await documentIn('a');
    expect(requests(document)).toBe(3);
    expect(document.summary.marks!.map(({ text }) => text)).toEqual([
      'profiling-start',
      'note with --api-key <redacted>',
      'profiling-end',
    ]);
    expect(readdirSync(join(folder, 'a')).filter(name => name.includes('sock'))).toEqual([]);
  });

  test('a killed run keeps its marks, and its socket does not disturb the next run', async () => {
    const { child, ended, says } = start([...run, 'orphan'], told);
    await says('noted at');
    const journal = join(folder, 'a', 'server_metrics.journal');
    await vi.waitFor(() => expect(scrapesBehindMarks(journal)).toBeGreaterThanOrEqual(2), 30_000);
    child.kill('SIGKILL');
    expect((await ended).code).toBe(null);
    const recovery = spawnSync(process.execPath, [BIN, 'recover', 'a'], { cwd: folder, encoding: 'utf8' });
    expect(recovery.status).toBe(0);
    const { summary, ...rest } = await documentIn('a');
    expect(summary.marks).toHaveLength(2);
    expect(summary.endpoint_info[summary.endpoints_successful[0]!]!.baseline_ns).toBeTypeOf('bigint');
    expect(requests({ summary, ...rest } as ServerMetricsDocument)).toBe(3);
    expect((await collect(['--url', url, '--duration', '0.2', '--artifact-dir', 'a'])).code).toBe(0);
  });
});

describe('interrupted', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the run early, with all exports', async signal => {
    const { child, ended, says } = start(['--url', url, '--duration', '60', '--artifact-dir', 'a']);
    await says(ENABLED);
    child.kill(signal);
    expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : 143);
    const { summary } = await documentIn('a');
    expect(summary).toMatchObject({ was_cancelled: true, endpoints_successful: [`${url}/metrics`] });
  });

  test('Ctrl-C is the normal end of a run without a command and a duration', async () => {
    const { child, ended, says } = start(['--url', url, '--artifact-dir', 'a']);
    await says(ENABLED);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    const { summary } = await documentIn('a');
    expect(summary.was_cancelled).toBe(false);
  });

  test('forwards signals to the command and passes its exit code through', async () => {
    const script =
      'process.on("SIGTERM", () => process.exit(42)); console.log("ready"); setInterval(() => {}, 1000)';
    const { child, ended, says } = start([
      '--url',
      url,
      '--artifact-dir',
      'a',
      '--',
      process.execPath,
      '-e',
      script,
    ]);
    await says('ready');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(42);
    expect(existsSync(join(folder, 'a', 'server_metrics_export.json'))).toBe(true);
  });

  test('ends the flush period early, with complete exports', async () => {
    const { child, ended, out } = start(
      ['--url', url, '--artifact-dir', 'a', '--', process.execPath, '-e', 'console.log("pid", process.pid)'],
      { AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '30' },
    );
    await vi.waitFor(() => expect(out()).toMatch(/pid \d+\n/), 30_000);
    const { pid } = /pid (?<pid>\d+)/.exec(out())!.groups!;
    await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'), 30_000);
    await sleep(500);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    const { summary } = await documentIn('a');
    expect(summary.was_cancelled).toBe(false);
    const flushedNs = summary.endpoint_info[`${url}/metrics`]!.last_fetch_ns! - summary.profiling_end_ns!;
    expect(Number(flushedNs) / 1e9).toBeLessThan(25);
  });

  test('a second Ctrl-C quits at once and names the folder to recover', async () => {
    const script =
      'process.on("SIGINT", () => console.log("heard")); console.log("ready"); setInterval(() => {}, 1000)';
    const { child, ended, says } = start([
      '--url',
      url,
      '--artifact-dir',
      'a',
      '--',
      process.execPath,
      '-e',
      script,
    ]);
    await says('ready');
    child.kill('SIGINT');
    await says('heard');
    // What follows at once is the same wish.
    await sleep(600);
    child.kill('SIGINT');
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toMatch(/servelens recover a/);
    expect(existsSync(join(folder, 'a', 'server_metrics_export.json'))).toBe(false);
  });
});

test('does not write secrets of URLs and the command line to files or output', async () => {
  const secret = 'hunter2secret';
  const withPassword = url.replace('http://', `http://me:${secret}@`);
  const formats = ['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet', '--keep-journal'];
  const command = [
    process.execPath,
    '-e',
    '0',
    '--',
    '--api-key',
    secret,
    '-H',
    `Authorization: Bearer ${secret}`,
  ];
  const { out, err } = await collect([
    '--server-metrics',
    withPassword,
    ...formats,
    '--artifact-dir',
    'a',
    '--',
    ...command,
  ]);
  expect(out + err).not.toContain(secret);
  expect(readdirSync(join(folder, 'a'))).toHaveLength(5);
  for (const name of readdirSync(join(folder, 'a'))) {
    expect(readFileSync(join(folder, 'a', name)).includes(secret), name).toBe(false);
  }
});
