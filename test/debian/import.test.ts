import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseJson } from '../../packages/formats/dist/json/parse.js';
import { runServelens } from '../servelens.ts';
import { type Service, startService } from '../service.ts';
import { root } from '../source.ts';
import { queryPrometheus, startPrometheus } from './prometheus.ts';
import { startVictoriaMetrics } from './victoriaMetrics.ts';

const isEnabled = process.env.SERVELENS_DEBIAN === '1';

/** Number of requests to the simulated server. */
const REQUESTS = 60;
const CONCURRENCY = 12;
/** Time without requests at both ends of the profiling phase, in milliseconds. Servelens scrapes more often. */
const IDLE_MS = 2000;

const CLI = join(root, 'apps/cli/bin/servelens.js');
/** Sources of the imported runs: the options, and the source in the export. */
const SOURCES = [
  ['remote_read', 'prometheus', []],
  ['query_range', 'prometheus', ['--api', 'query-range', '--step', '1s']],
  ['victoria_metrics', 'victoriaMetrics', []],
] as const;

interface Stats {
  readonly total?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly [name: string]: number | undefined;
}

interface Document {
  readonly summary: {
    readonly profiling_start_ns: bigint;
    readonly profiling_end_ns: bigint;
    readonly import?: { readonly source: string; readonly targets: Record<string, { readonly job: string }> };
    readonly endpoint_info: Record<
      string,
      { readonly total_fetches: number; readonly scrapes_failed: number }
    >;
  };
  readonly metrics: Record<string, { readonly type: string; readonly series: readonly Series[] }>;
}

interface Series {
  readonly labels?: Record<string, string>;
  readonly stats: Stats;
  readonly percentile_bounds?: Readonly<Record<string, readonly [low: number, high: number]>>;
}

/**
 * The same simulated server is scraped by Servelens, Prometheus and VictoriaMetrics. It is idle at both ends of the profiling
 * phase, so that all of them must measure the same increases, although they scrape at different times.
 */
describe.skipIf(!isEnabled)('a run that was recorded by three programs at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  const services: Service[] = [];
  let urls: Record<'prometheus' | 'victoriaMetrics', string>;
  let simulator: string;
  let collected: Document;

  beforeAll(async () => {
    simulator = await start(
      startService(
        process.execPath,
        port => [CLI, 'simulate', '--port', String(port), '--seed', '5'],
        '/health',
      ),
    );
    const targets = { vllm: new URL(simulator).host };
    urls = {
      prometheus: await start(startPrometheus(folder, targets)),
      victoriaMetrics: await start(startVictoriaMetrics(folder, targets)),
    };
    await waitForScrapes();
    collected = await collect();
  }, 240_000);

  afterAll(async () => {
    await Promise.all(services.map(service => service.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(SOURCES)('imported by %s', (source, program, options) => {
    let imported: Document;

    beforeAll(async () => {
      imported = await importRun(source, urls[program], options);
    }, 120_000);

    test('has the source and the target', () => {
      expect(imported.summary.import?.source).toBe(source);
      const [url, info] = Object.entries(imported.summary.endpoint_info)[0]!;
      expect(url).toBe(`${simulator}/metrics`);
      expect(imported.summary.import?.targets[url]?.job).toBe('vllm');
      expect(info.total_fetches).toBeGreaterThan(5);
    });

    test('is valid', async () => {
      const { code, stdout } = await runServelens(['validate', join(folder, source)]);
      expect(code, stdout).toBe(0);
    });

    test('has the same types, labels and increases', () => {
      const expected = listIncreases(collected);
      expect(expected.length).toBeGreaterThan(20);
      expect(expected.some(([, { count, total }]) => (count ?? total ?? 0) >= REQUESTS)).toBe(true);
      const actual = new Map(listIncreases(imported));
      expect(expected.map(([key]) => key).filter(key => !actual.has(key))).toEqual([]);
      for (const [key, stats] of expected)
        for (const [stat, value] of Object.entries(stats))
          expect(Math.abs(actual.get(key)![stat]! - value!), `${key} ${stat}`).toBeLessThanOrEqual(
            MAX_DIFFERENCE * Math.abs(value!),
          );
    });

    test('has percentiles within the bounds of the collected run, and overlapping bounds', () => {
      let compared = 0;
      for (const [key, expected] of listHistograms(collected)) {
        const actual = listHistograms(imported).get(key);
        for (const [percentile, [low, high]] of Object.entries(expected.percentile_bounds ?? {})) {
          const estimate = actual?.stats[`${percentile}_estimate`];
          expect(estimate, `${key} ${percentile}`).toBeGreaterThanOrEqual(low * 0.999_999);
          expect(estimate, `${key} ${percentile}`).toBeLessThanOrEqual(high * 1.000_001);
          const [otherLow, otherHigh] = actual!.percentile_bounds![percentile]!;
          expect(Math.max(low, otherLow), `${key} ${percentile}`).toBeLessThanOrEqual(
            Math.min(high, otherHigh) * 1.000_001,
          );
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(50);
    });

    test('is a run for the other commands', async () => {
      const run = join(folder, source);
      const summary = await runServelens(['read', 'summary', run]);
      expect(summary.stdout).toContain('e2e_request_latency_seconds');
      const page = join(folder, `${source}.html`);
      expect((await runServelens(['read', 'report', run, '--output', page])).code).toBe(0);
      // Without client data, the servers fill the tiles and the left column.
      const html = readFileSync(page, 'utf8');
      for (const text of ['Requests/s', 'Time to first token', 'Queue', 'KV cache', 'Imported from'])
        expect(html).toContain(text);
      expect(html).toContain('Load and answers, measured by the servers');
      const sql = "SELECT count(*) AS n FROM samples WHERE metric_name = 'vllm:num_requests_running'";
      expect((await runServelens(['read', 'query', run, sql])).code).toBe(0);
      const check = [
        'read',
        'check',
        run,
        '--assert',
        `vllm:e2e_request_latency_seconds.count == ${REQUESTS}`,
      ];
      expect((await runServelens(check)).code).toBe(0);
      const again = ['export', run, '--formats', 'json', '--output', join(folder, `${source}-again`)];
      expect((await runServelens(again)).code).toBe(0);
    }, 120_000);
  });

  async function start(starting: Promise<Service>): Promise<string> {
    const service = await starting;
    services.push(service);
    return service.url;
  }

  /** Collects a run until all programs have scraped the server before and after the load. */
  async function collect(): Promise<Document> {
    const artifacts = join(folder, 'collected');
    let load: Promise<void> | undefined;
    let endRun = (): void => {};
    const loaded = new Promise<void>(resolve => {
      endRun = resolve;
    });
    const args = ['collect', '--url', simulator, '--artifact-dir', artifacts];
    const { code, stderr } = await runServelens(args, {
      onStderr: text => {
        if (/endpoint\S* reachable/.test(text)) load ??= sendLoad().finally(endRun);
      },
      interrupt: loaded,
    });
    await load;
    expect(code, stderr).toBe(0);
    return readDocument(artifacts);
  }

  /** Sends requests, with idle time before and after them. */
  async function sendLoad(): Promise<void> {
    await sleep(IDLE_MS);
    await waitForScrapes();
    let sent = 0;
    const sendSome = async (): Promise<void> => {
      while (sent++ < REQUESTS) await sendRequest(simulator, sent);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, sendSome));
    await sleep(IDLE_MS);
    await waitForScrapes();
  }

  /** Waits until Prometheus and VictoriaMetrics have scraped the server again. */
  async function waitForScrapes(): Promise<void> {
    const nowS = Date.now() / 1000;
    for (const url of Object.values(urls)) await waitForScrape(url, nowS);
  }

  async function importRun(name: string, url: string, options: readonly string[]): Promise<Document> {
    const { profiling_start_ns: start, profiling_end_ns: end } = collected.summary;
    const artifacts = join(folder, name);
    const { code, stderr } = await runServelens([
      ...['import', url, '--match', '{job="vllm"}', '--from', '10m', ...options],
      ...['--profiling-start', formatNs(start), '--profiling-end', formatNs(end)],
      ...['--artifact-dir', artifacts],
    ]);
    expect(code, stderr).toBe(0);
    return readDocument(artifacts);
  }
});

/** Maximum time until a server is scraped again, in milliseconds. Usually, it is 1 s. */
const MAX_WAIT_MS = 60_000;

/** Waits until a successful scrape has started after a Unix time in seconds. */
async function waitForScrape(url: string, afterS: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += 200) {
    if ((await readScrapeTime(url)) > afterS) return;
    await sleep(200);
  }
  throw new Error(`${url} did not scrape the simulator within ${MAX_WAIT_MS / 1000} s`);
}

/** Returns the time of the last successful scrape, in Unix seconds; 0 if there is none. */
async function readScrapeTime(url: string): Promise<number> {
  const [up] = await queryPrometheus(url, 'up{job="vllm"}[1m]', Date.now() / 1000);
  return up?.samples.findLast(([, value]) => value === '1')?.[0] ?? 0;
}

async function sendRequest(url: string, index: number): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'servelens/simulated-8b',
      messages: [{ role: 'user', content: `request ${index} `.repeat(1 + (index % 20)) }],
      max_tokens: 5 + ((7 * index) % 60),
      ignore_eos: true,
    }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the simulator responded with ${response.status}`);
}

function readDocument(artifacts: string): Document {
  return parseJson(readFileSync(join(artifacts, 'server_metrics_export.json'), 'utf8')).value as Document;
}

function formatNs(ns: bigint): string {
  return new Date(Number(ns / 1_000_000n)).toISOString();
}

/** Statistics that depend on increases alone, and not on the times of scrapes. */
const INCREASE_STATS = /^(?:total|count|sum|avg)$/;
/** Largest relative difference of a value that another program has stored. */
const MAX_DIFFERENCE = 1e-8;

/** Lists the increases of the counters and histograms of the engine, by metric and labels. */
function listIncreases({ metrics }: Document): [key: string, stats: Stats][] {
  return Object.entries(metrics)
    .filter(([name, { type }]) => name.startsWith('vllm:') && (type === 'counter' || type === 'histogram'))
    .flatMap(([name, { type, series }]) =>
      series.map(({ labels, stats }): [string, Stats] => {
        const entries = Object.entries(stats).filter(([stat]) => INCREASE_STATS.test(stat));
        return [`${type} ${name} ${JSON.stringify(labels)}`, Object.fromEntries(entries)];
      }),
    );
}

/** Returns the histograms of the engine, by metric and labels. */
function listHistograms({ metrics }: Document): Map<string, Series> {
  const histograms = Object.entries(metrics).filter(
    ([name, { type }]) => name.startsWith('vllm:') && type === 'histogram',
  );
  return new Map(
    histograms.flatMap(([name, { series }]) =>
      series.map((one): [string, Series] => [`${name} ${JSON.stringify(one.labels)}`, one]),
    ),
  );
}
