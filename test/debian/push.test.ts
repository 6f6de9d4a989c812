import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runServelens } from '../servelens.ts';
import { type Service, startService } from '../service.ts';
import { root } from '../source.ts';
import { startPrometheusReceiver, startVictoriaMetrics } from './monitoring.ts';
import { queryPrometheus } from './prometheus.ts';

const SERVELENS = join(root, 'apps/cli/bin/servelens.js');
const MODEL = 'servelens/simulated-8b';
/** A range that contains the run. */
const RANGE = '1h';

/** Monitoring systems with the folder of their API for queries. */
const SYSTEMS = ['Prometheus', 'VictoriaMetrics'] as const;

describe.skipIf(!inject('runs'))('values pushed to Prometheus and VictoriaMetrics by remote write', () => {
  let folder: string;
  const services: Service[] = [];
  const urls = new Map<string, string>();
  let pages: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'push-'));
    const simulator = await startService(
      process.execPath,
      port => [SERVELENS, 'simulate', '--port', String(port)],
      '/metrics',
    );
    const prometheus = await startPrometheusReceiver(folder);
    const victoria = await startVictoriaMetrics(folder);
    services.push(simulator, prometheus, victoria);
    urls.set('Prometheus', prometheus.url).set('VictoriaMetrics', victoria.url);
    pages = await profile(simulator.url);
  });

  afterAll(async () => {
    await Promise.all(services.map(service => service.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a load with pushes. Returns the metrics page of the run in both formats. */
  async function profile(url: string): Promise<readonly string[]> {
    const targets = [...urls.values()].flatMap(target => ['--push', `remote-write=${target}`]);
    const load = ['--concurrency', '2', '--benchmark-duration', '8', '--isl', '20', '--osl', '10'];
    const args = ['profile', '-m', MODEL, '--tokenizer', 'builtin', '--url', url, '--streaming', ...load];
    const output = ['--artifact-dir', join(folder, 'run'), '--ui', 'none', '--metrics-port', '0'];
    const child = spawn(
      process.execPath,
      [SERVELENS, ...args, ...targets, '--push-label', 'team=search', ...output],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    const ended = new Promise<number | null>(resolve => child.on('exit', resolve));
    let log = '';
    let read: Promise<readonly string[]> | undefined;
    child.stderr.setEncoding('utf8').on('data', text => {
      log += text;
      const [, page] = /metrics of this run: (\S+)/.exec(log) ?? [];
      if (page !== undefined) read ??= readPages(page);
    });
    expect(await ended, log).toBe(0);
    return (await read) ?? [];
  }

  function readRun(name: string) {
    return JSON.parse(readFileSync(join(folder, 'run', name), 'utf8'));
  }

  async function query(system: string, expression: string): Promise<Record<string, number>> {
    const results = await queryPrometheus(urls.get(system)!, expression, Date.now() / 1000);
    return Object.fromEntries(
      results.map(({ metric, samples }) => [
        metric.outcome ?? metric.statistic ?? '',
        Number(samples[0]![1]),
      ]),
    );
  }

  test('both are written with version 1.0, and nothing is lost', () => {
    const { receivers } = readRun('push.json');
    expect(receivers).toHaveLength(2);
    for (const receiver of receivers)
      expect(receiver).toMatchObject({
        protocol_version: '1.0',
        retries: 0,
        lost_values: { queue_full: 0, rejected: 0, undelivered: 0 },
      });
  });

  test.each(SYSTEMS)('%s has the statistics of the export', async system => {
    const { request_latency: latency, benchmark_id: id } = readRun('profile_export_aiperf.json');
    const selector = `metric="request_latency",run_id="${id}",team="search",job="servelens",instance="${id}"`;
    const expression = `last_over_time(servelens_result_client{${selector}}[${RANGE}])`;
    await expect.poll(() => query(system, expression), { timeout: 60_000 }).toHaveProperty('p99');
    const stored = await query(system, expression);
    // VictoriaMetrics stores about 12 digits.
    for (const statistic of ['avg', 'p50', 'p99', 'max'])
      expect(stored[statistic]! / latency[statistic]).toBeCloseTo(1, 9);
  });

  test.each(SYSTEMS)('%s has the live values of the client and of the server', async system => {
    const { request_count: count } = readRun('profile_export_aiperf.json');
    const requests = 'servelens_client_requests_total{phase="profiling"}';
    const last = `last_over_time(${requests}[${RANGE}])`;
    await expect.poll(() => query(system, last), { timeout: 60_000 }).toMatchObject({ succeeded: count.avg });
    const scrapes = `count_over_time(servelens_server_requests_running[${RANGE}])`;
    expect((await query(system, scrapes))['']).toBeGreaterThan(4);
    const buckets = `last_over_time(gen_ai_client_operation_duration_seconds_count{phase="profiling"}[${RANGE}])`;
    expect((await query(system, buckets))['']).toBe(count.avg);
  });

  test.each(SYSTEMS)('%s shows no live value after the end of the run', async system => {
    const { benchmark_id: id } = readRun('profile_export_aiperf.json');
    const live = `{run_id="${id}",__name__!~"servelens_result_.*"}`;
    const [info] = await queryPrometheus(
      urls.get(system)!,
      `servelens_run_info{run_id="${id}",phase="profiling"}[${RANGE}]`,
      Date.now() / 1000,
    );
    // VictoriaMetrics returns the marker of the end, too.
    const [lastTime] = info!.samples.filter(([, value]) => value !== 'NaN').at(-1)!;
    const count = async (time: number): Promise<number> =>
      (await queryPrometheus(urls.get(system)!, live, time)).length;
    expect(await count(lastTime)).toBeGreaterThan(50);
    expect(await count(lastTime + 0.5)).toBe(0);
  });

  test.each(SYSTEMS)('%s receives the statistics of a run that has ended', async system => {
    const target = `remote-write=${urls.get(system)}`;
    const { code, stdout, stderr } = await runServelens([
      ...['push', join(folder, 'run'), '--to', target, '--push-label', 'sent=again', '--json'],
    ]);
    expect(code, stderr).toBe(0);
    const [{ sent_values: values }] = JSON.parse(stdout).receivers;
    const again = `count(last_over_time({__name__=~"servelens_result_.*",sent="again"}[${RANGE}]))`;
    await expect.poll(() => query(system, again), { timeout: 60_000 }).toEqual({ '': values });
  });

  test('promtool accepts the metrics page', () => {
    const [text, openMetrics] = pages;
    expect(text).toMatch(/servelens_client_requests_total\{/);
    const { status, stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], {
      input: text!,
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
    expect(openMetrics).toMatch(/# EOF\n$/);
  });
});

/** Reads the metrics page, in both formats, until it contains requests. */
async function readPages(url: string): Promise<readonly string[]> {
  for (;;) {
    const pages = await Promise.all(
      ['text/plain', 'application/openmetrics-text'].map(accept => readPage(url, accept)),
    );
    if (pages[0]!.includes('gen_ai_client_token_usage')) return pages;
    await sleep(200);
  }
}

async function readPage(url: string, accept: string): Promise<string> {
  return (await fetch(url, { headers: { accept } })).text();
}
