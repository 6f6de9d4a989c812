import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServerMetricsDocument, validate } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ProcessEnd, type ServelensProcess, startServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { url } = await startSimulator({ seed: 3, arrivalRate: 20 });
let folder = '';
beforeEach(() => {
  folder = makeTestFolder();
});

/** Start of the log line that is written after the first probe. */
const PROBED = 'Server metrics enabled';

function startCollect(args: readonly string[], env: Record<string, string> = {}): ServelensProcess {
  const settings = {
    AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
    AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1',
  };
  return startServelens(['collect', ...args], { cwd: folder, env: { ...settings, ...env } });
}

async function collect(...args: string[]): Promise<ProcessEnd> {
  return startCollect(args).ended;
}

/** Returns the arguments `-- node -e SCRIPT`. */
function formatCommand(script: string): string[] {
  return ['--', process.execPath, '-e', script];
}

async function readDocument(name: string): Promise<ServerMetricsDocument> {
  return (await readServerMetricsJson(
    fromPath(join(folder, name, 'server_metrics_export.json')),
  )) as ServerMetricsDocument;
}

describe('with a command', () => {
  test('passes its exit code and output through, and writes valid exports', async () => {
    const { code, out, err } = await collect(
      ...['--url', url, '--artifact-dir', 'a', '--slice-duration', '0.3'],
      ...['--server-metrics-formats', 'json', 'csv', 'parquet', 'jsonl'],
      ...formatCommand('setTimeout(() => { console.log("bench done"); process.exit(7) }, 900)'),
    );
    expect(code).toBe(7);
    expect(out).toBe('bench done\n');
    expect(err).toContain('Server metrics enabled - 1/1 endpoint reachable');
    expect(err).toContain('vLLM');
    const names = readdirSync(join(folder, 'a')).filter(name => name.startsWith('server'));
    expect(names.sort()).toEqual([
      'server_metrics_export.csv',
      'server_metrics_export.json',
      'server_metrics_export.jsonl',
      'server_metrics_export.parquet',
    ]);
    for (const name of names) {
      const { valid, issues } = await validate(fromPath(join(folder, 'a', name)));
      expect(
        issues.filter(({ severity }) => severity === 'error'),
        name,
      ).toEqual([]);
      expect(valid, name).toBe(true);
    }
  });

  test('exits with 127 if the command is not found, and with 128 + N if signal N ends it', async () => {
    const missing = await collect('--url', url, '--artifact-dir', 'a', '--', 'no-such-command');
    expect(missing.code).toBe(127);
    expect(missing.err).toContain('cannot run "no-such-command": command not found');
    expect(missing.err).not.toContain('    at ');
    const killed = await collect(
      ...['--url', url, '--artifact-dir', 'b'],
      ...formatCommand('process.kill(process.pid, "SIGKILL")'),
    );
    expect(killed.code).toBe(137);
  });

  test('exports a run whose command cannot be started', async () => {
    const { code } = await collect('--url', '127.0.0.1:9', '--artifact-dir', 'a', '--', '');
    expect(code).toBe(127);
    expect(readdirSync(join(folder, 'a')).filter(name => name.endsWith('.journal'))).toEqual([]);
    expect(existsSync(join(folder, 'a', 'server_metrics_export.json'))).toBe(true);
  });

  test('--no-server-metrics only runs the command', async () => {
    const { code, out } = await collect(
      '--no-server-metrics',
      ...formatCommand('console.log(1); process.exit(4)'),
    );
    expect({ code, out }).toEqual({ code: 4, out: '1\n' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('fails without a reachable endpoint only with --require-server-metrics', async () => {
    const args = ['--server-metrics', '127.0.0.1:9', '--artifact-dir', 'a'];
    const optional = await collect(...args, ...formatCommand('0'));
    expect(optional.code).toBe(0);
    expect(optional.err).toContain('no endpoint returned data, so the exports contain no metrics');
    expect(await readDocument('a')).toMatchObject({
      summary: { endpoints_configured: ['http://127.0.0.1:9/metrics'], endpoints_successful: [] },
    });
    const required = await collect(...args, '--require-server-metrics', ...formatCommand('0'));
    expect(required.code).toBe(1);
    expect(required.err).toContain('no data from http://127.0.0.1:9/metrics');
    const failed = await collect(...args, '--require-server-metrics', ...formatCommand('process.exit(5)'));
    expect(failed.code).toBe(5);
  });
});

describe('with a duration', () => {
  test('fails if no endpoint returned data', async () => {
    const unreachable = ['--server-metrics', '127.0.0.1:9', '--duration', '0.2', '--artifact-dir'];
    const { code, err } = await collect(...unreachable, 'a');
    expect(code).toBe(1);
    expect(err).toContain('no endpoint returned data, so the exports contain no metrics');
    expect((await collect('--url', url, ...unreachable, 'b')).code).toBe(0);
  });

  test('excludes the warm-up from statistics', async () => {
    const { code } = await collect(
      ...['--url', url, '--artifact-dir', 'a', '-q'],
      ...['--warmup-duration', '0.6', '--duration', '0.6'],
    );
    expect(code).toBe(0);
    const { summary } = await readDocument('a');
    const { profiling_start_ns, profiling_end_ns, start_time } = summary;
    const seconds = Number(profiling_end_ns! - profiling_start_ns!) / 1e9;
    expect(seconds).toBeGreaterThan(0.55);
    expect(seconds).toBeLessThan(10);
    const warmupMs = Number(profiling_start_ns! / 1_000_000n) - Date.parse(start_time);
    expect(warmupMs).toBeGreaterThan(550);
  });

  test('warns once about timeslices that are shorter than the update interval', async () => {
    const { err } = await collect(
      ...['--url', url, '--artifact-dir', 'a', '-q', '--duration', '0.5'],
      ...['--slice-duration', '0.001', '--server-metrics-formats', 'json', 'csv'],
    );
    expect(
      err.match(
        /--slice-duration is shorter than the update interval of \S+; each sample interval is a timeslice/g,
      ),
    ).toHaveLength(1);
  });

  test('names the files with a prefix', async () => {
    await collect(
      ...['--url', url, '--artifact-dir', 'a', '--duration', '0.2'],
      ...['--profile-export-file', 'mine.json', '--server-metrics-formats', 'json'],
    );
    expect(readdirSync(join(folder, 'a')).filter(name => name.endsWith('.json'))).toEqual([
      'mine_server_metrics.json',
    ]);
  });

  test('reports without a stack trace that a folder cannot be created', async () => {
    const { code, err } = await collect('--url', url, '--duration', '0.2', '--artifact-dir', '/dev/null/x');
    expect(code).toBe(2);
    expect(err).toMatch(/cannot use the artifact folder "\/dev\/null\/x": "\/dev\/null" is not a folder/);
    expect(err).not.toContain('    at ');
  });
});

describe('interrupting a run', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the run early, with all exports and exit code %d', async (signal, exitCode) => {
    const run = startCollect(['--url', url, '--duration', '60', '--artifact-dir', 'a']);
    await run.waitForOutput(PROBED);
    run.kill(signal);
    expect((await run.ended).code).toBe(exitCode);
    const { summary } = await readDocument('a');
    expect(summary).toMatchObject({ was_cancelled: true, endpoints_successful: [`${url}/metrics`] });
  });

  test('Ctrl-C ends a run without a command or a duration normally', async () => {
    const run = startCollect(['--url', url, '--artifact-dir', 'a']);
    await run.waitForOutput(PROBED);
    run.kill('SIGINT');
    expect((await run.ended).code).toBe(0);
    const { summary } = await readDocument('a');
    expect(summary.was_cancelled).toBe(false);
  });

  test('forwards signals to the command and passes its exit code through', async () => {
    const script =
      'process.on("SIGTERM", () => process.exit(42)); console.log("ready"); setInterval(() => {}, 1000)';
    const run = startCollect(['--url', url, '--artifact-dir', 'a', ...formatCommand(script)]);
    await run.waitForOutput('ready');
    run.kill('SIGTERM');
    expect((await run.ended).code).toBe(42);
    expect(existsSync(join(folder, 'a', 'server_metrics_export.json'))).toBe(true);
  });

  test('Ctrl-C ends the flush period early, and exports are complete', async () => {
    const run = startCollect(
      ['--url', url, '--artifact-dir', 'a', ...formatCommand('console.log("pid", process.pid)')],
      { AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '30' },
    );
    await vi.waitFor(() => expect(run.out).toMatch(/pid \d+\n/), 30_000);
    const { pid } = /pid (?<pid>\d+)/.exec(run.out)!.groups!;
    await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'), 30_000);
    // The run notices the exit of the command and starts the flush period.
    await sleep(3000);
    run.kill('SIGINT');
    expect((await run.ended).code).toBe(0);
    const { summary } = await readDocument('a');
    expect(summary.was_cancelled).toBe(false);
    const flushNs = summary.endpoint_info[`${url}/metrics`]!.last_fetch_ns! - summary.profiling_end_ns!;
    expect(Number(flushNs) / 1e9).toBeLessThan(25);
  });

  test.each<[string, string[], RegExp]>([
    [
      'the warm-up',
      ['--warmup-duration', '60'],
      /ending the run and writing its exports; press Ctrl-C again/,
    ],
    ['profiling', ['--duration', '60'], /ending the run and writing its exports; press Ctrl-C again/],
    [
      'a command',
      ['--', process.execPath, '-e', 'setTimeout(() => {}, 2000); process.on("SIGINT", () => {})'],
      /ending the run after the command exits; press Ctrl-C again to terminate it/,
    ],
  ])('the first Ctrl-C during %s is answered at once', async (_, args, message) => {
    const run = startCollect(['--url', url, '--artifact-dir', 'a', ...args]);
    await run.waitForOutput(PROBED);
    await sleep(300);
    run.kill('SIGINT');
    expect((await run.ended).err).toMatch(message);
  });

  test('the first Ctrl-C during the probe of an unresponsive server is answered at once', async () => {
    const server = createServer(() => {});
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const run = startCollect(['--url', `http://127.0.0.1:${port}`, '--artifact-dir', 'a']);
    await vi.waitFor(
      () => expect(existsSync(join(folder, 'a', 'server_metrics.journal'))).toBe(true),
      30_000,
    );
    run.kill('SIGINT');
    expect((await run.ended).err).toMatch(/ending the run and writing its exports/);
    server.close();
  });

  test('a second Ctrl-C quits immediately and names the folder to recover', async () => {
    const script =
      'process.on("SIGINT", () => console.log("received")); console.log("ready"); setInterval(() => {}, 1000)';
    const run = startCollect(['--url', url, '--artifact-dir', 'a', ...formatCommand(script)]);
    await run.waitForOutput('ready');
    run.kill('SIGINT');
    await run.waitForOutput('received');
    // Signals within 300 ms count as one.
    await sleep(2000);
    run.kill('SIGINT');
    const { code, err } = await run.ended;
    expect(code).toBe(130);
    expect(err).toMatch(/servelens recover a/);
    expect(existsSync(join(folder, 'a', 'server_metrics_export.json'))).toBe(false);
  });
});

test('does not write secrets of URLs and the command line to files or output', async () => {
  const secret = 'hunter2secret';
  const { out, err } = await collect(
    ...['--server-metrics', url.replace('http://', `http://me:${secret}@`), '--artifact-dir', 'a'],
    ...['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet', '--keep-journal'],
    ...[...formatCommand('0'), '--', '--api-key', secret, '-H', `Authorization: Bearer ${secret}`],
  );
  expect(out + err).not.toContain(secret);
  const names = readdirSync(join(folder, 'a'));
  expect(names).toHaveLength(5);
  for (const name of names) expect(readFileSync(join(folder, 'a', name)).includes(secret), name).toBe(false);
});
