import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { Random } from '../../packages/core/dist/index.js';
import { type RunOptions, runServelens } from '../servelens.ts';
import { type Service, startService } from '../service.ts';
import { root } from '../source.ts';
import {
  EDGE_CASES,
  formatExposition,
  generateHistograms,
  growHistogram,
  type Histogram,
} from './histogram.ts';
import { queryPrometheus, startNodeExporter, startPrometheus } from './prometheus.ts';

/** Running servers, and the artifact folders of three runs. */
export interface Runs {
  readonly prometheus: string;
  readonly nodeExporter: string;
  /**
   * Folder of a run against Prometheus and the node exporter: 5 s of warm-up and 20 s of profiling in slices of
   * 2 s.
   */
  readonly servers: string;
  /** Folder of a run of a few seconds against `servelens simulate` as a vLLM server. */
  readonly vllm: string;
  /** Folder of a run with the percentile method `linear` against histograms that Prometheus scrapes, too. */
  readonly histograms: string;
  /**
   * A time in the run `histograms` before the histograms change, and a time after the run. Unix time in seconds.
   */
  readonly beforeS: number;
  readonly afterS: number;
  /** Constant histograms, scraped by Prometheus only. */
  readonly cases: Readonly<Record<string, Histogram>>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    runs: Runs | null;
  }
}

const ALL_FORMATS = ['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'];

const services: Service[] = [];
let folder: string | undefined;

export async function setup(project: TestProject): Promise<void> {
  if (process.env.SERVELENS_DEBIAN !== '1') {
    console.warn("skipped: these tests need Debian's Prometheus and pandas; .ci/run installs them");
    project.provide('runs', null);
    return;
  }
  folder = mkdtempSync(join(tmpdir(), 'debian-'));
  try {
    project.provide('runs', await startRuns(folder));
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await Promise.all(services.splice(0).map(service => service.stop()));
  if (folder) rmSync(folder, { recursive: true, force: true });
}

async function startRuns(parentFolder: string): Promise<Runs> {
  const cases = { ...EDGE_CASES, ...generateHistograms(1, 300) };
  const changing = new ChangingHistograms(generateHistograms(2, 100));
  const still = await serve(() => formatExposition('still', cases));
  const moving = await serve(() => changing.formatBody());
  const node = await track(startNodeExporter());
  const jobs = { node: getHost(node.url), still: getHost(still), moving: getHost(moving) };
  const prometheus = await track(startPrometheus(parentFolder, jobs));
  await waitForTargets(prometheus.url, Object.keys(jobs).length + 1);
  const [servers, vllm, { histograms, beforeS, afterS }] = await Promise.all([
    runAgainstServers(parentFolder, [prometheus.url, node.url]),
    runAgainstVllm(parentFolder),
    runAgainstHistograms(parentFolder, moving, changing),
  ]);
  const urls = { prometheus: prometheus.url, nodeExporter: node.url };
  return { ...urls, servers, vllm, histograms, beforeS, afterS, cases };
}

async function runAgainstServers(parentFolder: string, urls: readonly string[]): Promise<string> {
  const busy = new AbortController();
  const load = sendQueries(urls[0]!, busy.signal);
  const artifacts = await collect(parentFolder, 'servers', [
    ...['--server-metrics', ...urls],
    ...['--warmup-duration', '5', '--duration', '20', '--slice-duration', '2'],
  ]);
  busy.abort();
  await load;
  return artifacts;
}

async function runAgainstVllm(parentFolder: string): Promise<string> {
  const command = [join(root, 'apps/cli/bin/servelens.js'), 'simulate'];
  const options = ['--model', 'Qwen/Qwen3-0.6B', '--arrival-rate', '20', '--seed', '3'];
  const args = (port: number): string[] => [...command, '--port', String(port), ...options];
  const simulator = await track(startService(process.execPath, args, '/health'));
  const run = ['--warmup-duration', '2', '--duration', '6', '--slice-duration', '2'];
  return collect(parentFolder, 'vllm', ['--url', simulator.url, ...run]);
}

async function runAgainstHistograms(
  parentFolder: string,
  url: string,
  changing: ChangingHistograms,
): Promise<Pick<Runs, 'histograms' | 'beforeS' | 'afterS'>> {
  let change: Promise<number> | undefined;
  const histograms = await collect(
    parentFolder,
    'histograms',
    [
      ...['--server-metrics', url, '--percentile-method', 'linear'],
      ...['--warmup-duration', '2', '--duration', '6', '--slice-duration', '2'],
    ],
    {
      // The warm-up ends about 2 s after this line, the profiling period 8 s after it.
      onStderr: text => {
        if (/endpoint\S* reachable/.test(text)) change ??= changing.changeIn(4500);
      },
    },
  );
  return { histograms, beforeS: await change!, afterS: Date.now() / 1000 };
}

/** Histograms that change once. A counter and a gauge show whether they have changed. */
class ChangingHistograms {
  #now: Readonly<Record<string, Histogram>>;
  #changes = 0;

  constructor(before: Readonly<Record<string, Histogram>>) {
    this.#now = before;
  }

  formatBody(): string {
    const changes = `# TYPE changes_total counter\nchanges_total ${this.#changes}\n`;
    const changed = `# TYPE changed gauge\nchanged ${this.#changes}\n`;
    return changes + changed + formatExposition('moving', this.#now);
  }

  /**
   * Changes the histograms after `ms` milliseconds. Returns the time 1.5 s before the change, as Unix time in
   * seconds.
   */
  async changeIn(ms: number): Promise<number> {
    await sleep(ms - 1500);
    const beforeS = Date.now() / 1000;
    // Scrapes that start before this time complete or fail before the change.
    await sleep(1500);
    const random = new Random(3);
    const changed = Object.entries(this.#now).map(([name, histogram]) => [
      name,
      growHistogram(histogram, random),
    ]);
    this.#now = Object.fromEntries(changed);
    this.#changes++;
    return beforeS;
  }
}

async function collect(
  parentFolder: string,
  name: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const artifacts = join(parentFolder, name);
  mkdirSync(artifacts);
  const commandArgs = ['collect', ...args, ...ALL_FORMATS, '--artifact-dir', artifacts];
  const { code, stderr } = await runServelens(commandArgs, options);
  if (code !== 0) throw new Error(`servelens ${commandArgs.join(' ')} exited with code ${code}: ${stderr}`);
  return artifacts;
}

/** Sends requests to Prometheus until the signal is aborted, so that its counters increase. */
async function sendQueries(url: string, signal: AbortSignal): Promise<void> {
  const queries = ['query?query=up', 'query?query=count({__name__=~".%2B"})', 'labels', 'query?query=('];
  for (let i = 0; !signal.aborted; i++) {
    const response = await fetch(`${url}/api/v1/${queries[i % queries.length]}`);
    await response.arrayBuffer();
    await sleep(50 + (i % 7) * 20);
  }
}

/** Serves an exposition on a loopback port until teardown. Returns the URL. */
async function serve(text: () => string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  services.push({ url: `http://127.0.0.1:${port}`, stop });
  return `http://127.0.0.1:${port}`;
}

/** Waits until Prometheus has scraped all of its targets. */
async function waitForTargets(url: string, targets: number): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const up = await queryPrometheus(url, 'up == 1', Date.now() / 1000);
    if (up.length === targets) return;
    await sleep(200);
  }
  throw new Error(`Prometheus at ${url} did not reach its ${targets} targets within 20 s`);
}

/** Registers a service to be stopped at teardown. */
async function track(starting: Promise<Service>): Promise<Service> {
  const service = await starting;
  services.push(service);
  return service;
}

function getHost(url: string): string {
  return new URL(url).host;
}
