/**
 * What scraping many endpoints costs and how punctual it is, beside Debian's Prometheus.
 * Usage: node benchmarks/dist/scrape.js [--endpoints 50] [--seconds 60] [--engines 3]
 *        node benchmarks/dist/scrape.js --endpoints 200 --no-peer    (our 3 Hz alone counts there)
 *
 * A process of its own serves the bodies of a simulated vLLM under load (3 engines: 126 KB, 1,109 samples), whose values
 * change from one scrape to the next. `servelens collect` scrapes them as a user has it: the built command in a process of its
 * own, with journal and exports; Prometheus with its memory and log on disk. At one scrape a second, like Prometheus, each of
 * them has so many endpoints of its own, and both are looked at over the same `--seconds`, from half a minute after all endpoints
 * were asked for; then ours alone at 3 Hz. Processor time and memory are what Linux says of the process. Ticks and lateness are
 * taken at the server, which both have to wait for, and which has to run on the same machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { type Load, type OwnEnd, Prometheus, Servelens, SPARE_S } from './scrape/scrapers.ts';
import { Servers } from './scrape/servers.ts';
import { secondsOf, type WindowCost, windowCosts } from './scrape/window.ts';
import { busyBodies, INTERVAL_MS } from './store/trace.ts';

const TARGETS = { cpuRatio: 0.5, rssRatio: 0.5, ticksMet: 0.999 };

const options = yargs(hideBin(argv))
  .option('endpoints', { type: 'number', default: 50, describe: 'How many endpoints there are' })
  .option('seconds', { type: 'number', default: 60, describe: 'How long each scraper is looked at' })
  .option('engines', { type: 'number', default: 3, describe: 'Engines of the simulated vLLM, 42 KB each' })
  .option('peer', { type: 'boolean', default: true, describe: 'Beside Prometheus, at 1 Hz' })
  .strict()
  .parseSync();

const folder = mkdtempSync(join(tmpdir(), 'servelens-scrape-'));
const bodies = [...busyBodies(options.engines, secondsOf(options.seconds) + SPARE_S)].map(({ body }) => body);
const servers = await Servers.start(bodies, folder);
try {
  if (options.peer) await beside();
  await alone();
} finally {
  servers.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Both at once, at 1 Hz. */
async function beside(): Promise<void> {
  const { endpoints, seconds } = options;
  const load = { first: 0, endpoints, seconds, intervalMs: 1000 };
  const peer = await Prometheus.start(servers, load, folder);
  const own = new Servelens(servers, { ...load, first: peer ? endpoints : 0 }, folder);
  try {
    const [cost, peers] = await windowCosts(servers, peer ? [own, peer] : [own], seconds);
    if (peers) print('Prometheus', load, peers);
    print('ours', load, { ...cost!, ...(await own.finish()) }, peers);
  } finally {
    own.stop();
    await peer?.stop();
  }
}

async function alone(): Promise<void> {
  const { endpoints, seconds } = options;
  const load = { first: 0, endpoints, seconds, intervalMs: INTERVAL_MS };
  await servers.rewind();
  const own = new Servelens(servers, load, folder);
  try {
    const [cost] = await windowCosts(servers, [own], seconds);
    print('ours', load, { ...cost!, ...(await own.finish()) });
  } finally {
    own.stop();
  }
}

function print(who: string, load: Load, cost: WindowCost | (WindowCost & OwnEnd), peer?: WindowCost): void {
  const row = {
    bench: 'scrape',
    case: `${who}, ${load.intervalMs} ms`,
    endpoints: load.endpoints,
    seconds: load.seconds,
    body_bytes: bodies[0]!.length,
    scrapes: cost.scrapes,
    cpu_ms_per_scrape: rounded(cost.cpuMsPerScrape, 3),
    cpu_percent: rounded(cost.cpuPercent, 1),
    server_cpu_percent: rounded(cost.serverCpuPercent, 1),
    cpu_s_before: rounded(cost.cpuBeforeS, 2),
    rss_mb: rounded(cost.rssMb),
    peak_rss_mb: rounded(cost.peakRssMb),
    ticks: cost.ticks,
    ticks_met: rounded(cost.met / cost.ticks, 5),
    target_ticks_met: TARGETS.ticksMet,
    lateness_p50_ms: rounded(cost.p50LatenessMs, 1),
    lateness_p99_ms: rounded(cost.p99LatenessMs, 1),
    lateness_max_ms: rounded(cost.maxLatenessMs, 1),
    load_average: rounded(cost.load, 2),
    ...('lateScrapes' in cost && {
      peak_rss_with_exports_mb: rounded(cost.peakRssWithExportsMb),
      scrapes_late: cost.lateScrapes,
      scrapes_failed: cost.failedScrapes,
    }),
    ...(peer && {
      cpu_ratio: rounded(cost.cpuMsPerScrape / peer.cpuMsPerScrape, 2),
      target_cpu_ratio: TARGETS.cpuRatio,
      rss_ratio: rounded(cost.rssMb / peer.rssMb, 2),
      target_rss_ratio: TARGETS.rssRatio,
    }),
  };
  console.log(JSON.stringify(row));
}

function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
