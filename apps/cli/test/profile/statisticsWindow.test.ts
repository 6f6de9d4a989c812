import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ServerMetricsDocument } from '@org/formats';
import { fromPath, readRecords, readServerMetricsJson } from '@org/formats/read';
import { afterAll, expect, test } from 'vitest';
import { runServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const { url } = await startSimulator({ seed: 4 });

/** A metrics page that changes with each scrape, so that the JSONL export contains all scrapes. */
let pages = 0;
const metrics = createServer((_, response) => {
  pages++;
  response.setHeader('content-type', 'text/plain; version=0.0.4');
  response.end(
    `# TYPE pages_total counter\npages_total ${pages}\n# TYPE load gauge\nload ${(pages * 7) % 11}\n`,
  );
}).listen(0, '127.0.0.1');
afterAll(() => metrics.close());
await once(metrics, 'listening');
const page = `http://127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics`;

const folder = makeSuiteFolder();

/** The flush period is as long as the load, so that the figures of both windows differ. */
const SETTINGS = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.6',
};
const FORMATS = ['--server-metrics-formats', 'json', 'csv', 'jsonl'];
const LOAD = ['--isl', '10', '--streaming', '--concurrency', '4', '--request-count', '24'];
const SUBJECTS = {
  profile: ['profile', '--model', 'servelens/simulated-8b', '--url', url, ...LOAD],
  collect: ['collect', '--duration', '0.5'],
};

/** A scrape of the metrics page. */
interface Scrape {
  readonly sentNs: bigint;
  readonly ns: bigint;
  readonly phase: string | undefined;
  readonly pages: number;
  readonly load: number;
}

async function readScrapes(file: string): Promise<readonly Scrape[]> {
  const scrapes: Scrape[] = [];
  for await (const record of readRecords(fromPath(file))) {
    if (record.endpoint_url !== page) continue;
    const read = (name: string): number => (record.metrics[name]![0] as { value: number }).value;
    scrapes.push({
      sentNs: record.timestamp_ns - record.endpoint_latency_ns,
      ns: record.timestamp_ns,
      phase: (record as { benchmark_phase?: string }).benchmark_phase,
      pages: read('pages'),
      load: read('load'),
    });
  }
  return scrapes;
}

/** Selects the scrapes of a window: those tagged as profiling, or those until the first one sent after the end of the phase. */
function selectScrapes(scrapes: readonly Scrape[], window: string, endNs: bigint): readonly Scrape[] {
  const first = scrapes.findIndex(({ phase }) => phase === 'profiling');
  const last = window === 'aiperf' ? scrapes.length - 1 : scrapes.findIndex(({ sentNs }) => sentNs >= endNs);
  return scrapes.slice(first - 1, last + 1);
}

type Stats = Readonly<Record<string, number>>;

test.each(
  Object.keys(SUBJECTS).flatMap(command =>
    ['servelens', 'aiperf-0.13'].flatMap(compat =>
      ['profiling', 'aiperf'].map(window => ({ command: command as keyof typeof SUBJECTS, compat, window })),
    ),
  ),
)('$command --compat $compat --window $window exports the figures of this window', async options => {
  const { command, compat, window } = options;
  const artifacts = join(folder, `${command}-${compat}-${window}`);
  const result = await runServelens(
    [
      ...SUBJECTS[command],
      '--server-metrics',
      page,
      ...FORMATS,
      '--compat',
      compat,
      '--window',
      window,
      '--artifact-dir',
      artifacts,
    ],
    { cwd: folder, env: SETTINGS },
  );
  expect(result.code, result.err).toBe(0);
  const document = (await readServerMetricsJson(
    fromPath(join(artifacts, 'server_metrics_export.json')),
  )) as ServerMetricsDocument;
  const { end_ns: endNs } = document.summary.phase_time_ranges!.profiling as { readonly end_ns: bigint };
  const scrapes = await readScrapes(join(artifacts, 'server_metrics_export.jsonl'));
  const [reference, ...inside] = selectScrapes(scrapes, window, endNs);
  expect(inside.length).toBeGreaterThan(3);
  expect(scrapes.length - scrapes.findIndex(({ sentNs }) => sentNs >= endNs)).toBeGreaterThan(3);

  const readStats = (name: string) =>
    document.metrics[name]!.series.find(({ endpoint_url }) => endpoint_url === page)!
      .stats as object as Stats;
  const last = inside.at(-1)!;
  const total = last.pages - reference!.pages;
  expect(readStats('pages')).toMatchObject({
    total,
    rate: expect.closeTo(total / (Number(last.ns - reference!.ns) / 1e9), 9),
  });
  const average = inside.reduce((sum, { load }) => sum + load, 0) / inside.length;
  expect(readStats('load').avg).toBeCloseTo(average, 9);
  expect(readFileSync(join(artifacts, 'server_metrics_export.csv'), 'utf8')).toContain(
    compat === 'servelens' ? `${readStats('load').avg}` : average.toFixed(4),
  );

  const isMarked = compat === 'servelens' && window === 'aiperf';
  expect(document.summary.statistics_window).toBe(isMarked ? 'aiperf' : undefined);
  const opened = await runServelens(['read', 'summary', join(artifacts, 'server_metrics_export.json')], {
    cwd: folder,
  });
  expect(opened.out.includes("server metrics cover AIPerf's window")).toBe(window === 'aiperf');
});
