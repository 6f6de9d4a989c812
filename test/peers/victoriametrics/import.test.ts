import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryPrometheus } from '../../debian/prometheus.ts';
import { startVictoriaMetrics } from '../../debian/victoriaMetrics.ts';
import type { Service } from '../../service.ts';
import { readJson } from '../support/exports.ts';
import { describePeer } from '../support/peer.ts';
import { servelens } from '../support/servelens.ts';
import { MODEL, startSimulator } from '../support/simulator.ts';

const REQUESTS = 30;

/** The APIs of VictoriaMetrics, as `--api` names them, with the source in the export. */
const APIS = [
  ['auto', 'victoria_metrics', []],
  ['victoria-metrics', 'victoria_metrics', ['--api', 'victoria-metrics']],
  ['query-range', 'query_range', ['--api', 'query-range', '--step', '1s']],
] as const;

interface Export {
  readonly summary: { readonly import?: { readonly source: string } };
  readonly metrics: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly series: readonly {
          readonly labels?: object;
          readonly stats: Readonly<Record<string, number>>;
        }[];
      }
    >
  >;
}

describePeer('victoriametrics', 'Runs that are imported from VictoriaMetrics', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'victoriametrics-import-'));
  const services: Service[] = [];
  let url: string;
  let collected: Export;

  beforeAll(async () => {
    const simulator = await startSimulator();
    services.push(simulator);
    mkdirSync(folder, { recursive: true });
    const targets = { vllm: new URL(simulator.url).host };
    const server = await startVictoriaMetrics(folder, targets, join(peer, 'victoria-metrics'));
    services.push(server);
    url = server.url;
    await waitForScrape(Date.now() / 1000);
    await servelens(
      ...['profile', '--model', MODEL, '--tokenizer', 'builtin', '--url', simulator.url, '--streaming'],
      ...['--concurrency', '3', '--request-count', String(REQUESTS), '--isl', '50', '--osl', '10'],
      ...['--artifact-dir', join(folder, 'collected'), '--ui', 'none'],
    );
    collected = readJson(join(folder, 'collected'), 'server_metrics_export.json');
    await waitForScrape(Date.now() / 1000);
  }, 600_000);

  afterAll(async () => {
    await Promise.all(services.map(service => service.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until VictoriaMetrics has scraped the simulator after a Unix time in seconds. */
  async function waitForScrape(afterS: number): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const [up] = await queryPrometheus(url, 'up{job="vllm"}[1m]', Date.now() / 1000 + 1);
      if ((up?.samples.findLast(([, value]) => value === '1')?.[0] ?? 0) > afterS) return;
      await sleep(200);
    }
    throw new Error('VictoriaMetrics did not scrape the simulator');
  }

  test.each(APIS)('%s: increases are those of the collected run', async (name, source, options) => {
    const target = join(folder, `imported-${name}`);
    await servelens(
      ...['import', url, '--match', '{job="vllm"}', '--from', '10m', ...options, '--artifact-dir', target],
    );
    const imported: Export = readJson(target, 'server_metrics_export.json');
    expect(imported.summary.import?.source).toBe(source);
    const expected = listIncreases(collected);
    expect(expected.length).toBeGreaterThan(20);
    const actual = new Map(listIncreases(imported));
    expect(expected.map(([key]) => [key, actual.get(key)])).toEqual(expected);
    await servelens('validate', target);
  });
});

/** Lists the increases of the counters and histograms of the engine, by metric and labels. */
function listIncreases({ metrics }: Export): [key: string, increase: number][] {
  return Object.entries(metrics)
    .filter(([name, { type }]) => name.startsWith('vllm:') && (type === 'counter' || type === 'histogram'))
    .flatMap(([name, { series }]) =>
      series.map(({ labels, stats }): [string, number] => [
        `${name} ${JSON.stringify(labels)}`,
        stats.total ?? stats.count ?? 0,
      ]),
    );
}
