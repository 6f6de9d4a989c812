/**
 * Measures the cost of scraping thousands of endpoints with sharded collectors on one machine.
 *
 * One process serves the pages of all endpoints at different paths: pages of a simulated vLLM server under load, whose values
 * change from one scrape to the next. All endpoints are in one `file_sd` file, and each of the collectors scrapes its shard of
 * them (`servelens collect --shard I/N`), as in practice: the built command in a separate process, with journal and exports.
 * CPU time and memory are read from /proc, from the time when each endpoint has been scraped once. Then the runs are ended, and
 * `servelens merge` joins them. One JSON line is printed per figure.
 *
 * Usage: npm run bench -- shards [--endpoints 10000] [--shards 10] [--interval 30] [--seconds 90] [--engines 1] [--no-merge]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { generateVllmBodies } from '../bodies/vllmBodies.ts';
import { runNode } from '../measure/measuredProcess.ts';
import { round } from '../measure/numbers.ts';
import { BodyServers } from '../scrape/bodyServers.ts';
import { CLI, ShardCollector } from './shardCollector.ts';

const options = yargs(hideBin(argv))
  .option('endpoints', { type: 'number', default: 10_000, describe: 'Number of endpoints' })
  .option('shards', { type: 'number', default: 10, describe: 'Number of collectors' })
  .option('interval', { type: 'number', default: 30, describe: 'Scrape interval in seconds' })
  .option('seconds', { type: 'number', default: 90, describe: 'Duration of the measurement in seconds' })
  .option('engines', { type: 'number', default: 1, describe: 'Engines of a simulated server, 42 KB each' })
  .option('merge', { type: 'boolean', default: true, describe: 'Merge the runs of the shards' })
  .strict()
  .parseSync();

/** Maximum time until each endpoint has been scraped once, in seconds. */
const MAX_START_S = 900;

const { endpoints, shards, interval, seconds } = options;
const folder = mkdtempSync(join(tmpdir(), 'servelens-shards-'));
const bodies = [...generateVllmBodies(options.engines, 8 + Math.ceil(seconds / interval))].map(
  ({ body }) => body,
);
const servers = await BodyServers.start(bodies, folder);
const collectors: ShardCollector[] = [];
try {
  await measureCollectors();
  if (options.merge) await measureMerge();
} finally {
  for (const collector of collectors) collector.stop();
  servers.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measureCollectors(): Promise<void> {
  const targets = Array.from({ length: endpoints }, (_, index) => servers.formatUrl(index));
  const list = join(folder, 'targets.json');
  writeFileSync(list, JSON.stringify([{ targets }]));
  const startMs = performance.now();
  for (let index = 0; index < shards; index++)
    collectors.push(new ShardCollector({ folder, list, index, count: shards, intervalS: interval }));
  await waitForAll();
  print('seconds_to_first_scrape_of_all', round((performance.now() - startMs) / 1000, 1));
  const before = collectors.map(collector => collector.readUsage());
  print('cpu_seconds_to_first_scrape_of_all', sum(before.map(({ cpuS }) => cpuS)));
  await servers.reset();
  const range = { firstEndpoint: 0, endpoints };
  await sleep(seconds * 1000);
  const { scrapes } = await servers.fetchFigures(range, interval * 1000);
  const after = collectors.map(collector => collector.readUsage());
  const cpuS = sum(after.map((usage, index) => usage.cpuS - before[index]!.cpuS));
  print('scrapes', scrapes);
  print('cpu_ms_per_scrape', round((1000 * cpuS) / scrapes, 3));
  print('cores', round(cpuS / seconds, 3));
  print('peak_rss_mb_per_endpoint', round(sum(after.map(usage => usage.peakRssMb)) / endpoints, 3));
  print('peak_rss_mb_of_largest_shard', round(Math.max(...after.map(usage => usage.peakRssMb))));
  const endMs = performance.now();
  await Promise.all(collectors.map(collector => collector.finish()));
  print('seconds_to_export', round((performance.now() - endMs) / 1000, 1));
  const ends = collectors.map(collector => collector.readCounts());
  print('endpoints_of_smallest_shard', Math.min(...ends.map(end => end.endpoints)));
  print('endpoints_of_largest_shard', Math.max(...ends.map(end => end.endpoints)));
  print('endpoints_scraped', sum(ends.map(end => end.endpoints)));
  print('scrapes_failed', sum(ends.map(end => end.failed)));
  print('scrapes_late', sum(ends.map(end => end.late)));
}

/** Waits until each endpoint has been scraped once. */
async function waitForAll(): Promise<void> {
  const deadlineMs = performance.now() + MAX_START_S * 1000;
  for (;;) {
    try {
      await servers.waitForAllEndpoints({ firstEndpoint: 0, endpoints });
      return;
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
    }
  }
}

async function measureMerge(): Promise<void> {
  const merged = join(folder, 'merged');
  const {
    code,
    seconds: elapsed,
    peakMb,
    cpuSeconds,
  } = await runNode([
    ...[CLI, 'merge', ...collectors.map(({ artifacts }) => artifacts), '--output', merged],
    ...['--quiet', '--json'],
  ]);
  if (code !== 0) throw new Error(`servelens merge ended with the exit code ${code}`);
  const { summary } = JSON.parse(readFileSync(join(merged, 'server_metrics_export.json'), 'utf8')) as {
    readonly summary: { readonly endpoint_info: object };
  };
  print('merged_endpoints', Object.keys(summary.endpoint_info).length);
  print('merge_seconds', round(elapsed, 1));
  print('merge_cpu_seconds', round(cpuSeconds, 1));
  print('merge_peak_mb', round(peakMb));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function print(figure: string, value: number): void {
  const context = { endpoints, shards, interval_s: interval, seconds, body_bytes: bodies[0]!.length };
  const load = round(loadavg()[0]!, 1);
  console.log(JSON.stringify({ bench: 'shards', figure, value, ...context, load_average: load }));
}
