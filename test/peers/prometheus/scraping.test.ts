import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryPrometheus, startPrometheus } from '../../debian/prometheus.ts';
import type { Service } from '../../service.ts';
import { describePeer } from '../support/peer.ts';
import { startSimulator } from '../support/simulator.ts';

/** Kinds of simulated servers, with the path of their metrics page. */
const PAGES: readonly (readonly [kind: string, path: string])[] = [
  ['vllm', '/metrics'],
  ['sglang', '/metrics'],
  ['trtllm', '/prometheus/metrics'],
];

/** Prometheus prefers this format, in which the name of a counter has no suffix. */
const ACCEPT = 'application/openmetrics-text;version=1.0.0';

interface Target {
  readonly labels: { readonly job: string };
  readonly health: string;
  readonly lastError: string;
}

/** Type and help text of a metric. */
interface Metadata {
  readonly metric: string;
  readonly type: string;
  readonly help: string;
}

describePeer('prometheus', 'Prometheus scrapes the pages of simulated servers', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const services: Service[] = [];
  const pages = new Map<string, string>();
  let prometheus: Service;

  beforeAll(async () => {
    const targets: Record<string, string> = {};
    for (const [kind, path] of PAGES) {
      const simulator = await startSimulator(['--kind', kind]);
      services.push(simulator);
      const url = simulator.url + path;
      targets[kind] = url.replace('http://', '');
      pages.set(kind, await (await fetch(url, { headers: { accept: ACCEPT } })).text());
    }
    prometheus = await startPrometheus(folder, targets, join(peer, 'usr/bin/prometheus'));
    services.push(prometheus);
  });

  afterAll(async () => {
    await Promise.all(services.map(service => service.stop()));
    rmSync(folder, { recursive: true });
  });

  test.each(PAGES)('%s: every scrape is accepted', async kind => {
    await expect.poll(() => readTarget(kind), { timeout: 120_000 }).toMatchObject({ health: 'up' });
    expect(await readTarget(kind)).toMatchObject({ health: 'up', lastError: '' });
  });

  test.each(PAGES)('%s: every sample is stored', async kind => {
    const samples = pages.get(kind)!.split('\n').filter(isSample).length;
    expect(samples).toBeGreaterThan(50);
    await expect.poll(() => readScrapedSamples(kind), { timeout: 120_000 }).toBe(samples);
  });

  test.each(PAGES)('%s: every metric has its type and help text', async kind => {
    const stored = await get<readonly Metadata[]>(`targets/metadata?match_target={job="${kind}"}`);
    const types = stored.map(({ metric, type }) => `${metric} ${type}`);
    const declared = pages.get(kind)!.matchAll(/^# TYPE (\S+) (\S+)$/gm);
    const expected = [...declared].map(([, name, type]) => `${name} ${type}`);
    expect(types.toSorted()).toEqual(expected.toSorted());
    expect(stored.filter(({ help }) => help === '')).toEqual([]);
  });

  async function readTarget(job: string): Promise<Target | undefined> {
    const { activeTargets } = await get<{ readonly activeTargets: readonly Target[] }>('targets');
    return activeTargets.find(({ labels }) => labels.job === job);
  }

  async function readScrapedSamples(job: string): Promise<number> {
    const [result] = await queryPrometheus(
      prometheus.url,
      `scrape_samples_scraped{job="${job}"}`,
      Date.now() / 1000,
    );
    return Number(result?.samples.at(-1)?.[1]);
  }

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(`${prometheus.url}/api/v1/${path}`);
    return ((await response.json()) as { readonly data: T }).data;
  }
});

function isSample(line: string): boolean {
  return line !== '' && !line.startsWith('#');
}
