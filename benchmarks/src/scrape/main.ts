/**
 * Measures the cost and punctuality of scraping many endpoints, compared with Prometheus.
 *
 * A separate process serves the bodies of a simulated vLLM server under load (with 3 engines, 126 KB and 1,109
 * samples), whose values change from one scrape to the next. `servelens collect` runs as in practice: the built
 * command in a separate process, with journal and exports. Prometheus stores samples in memory and in its
 * write-ahead log on disk. At one scrape per second, both programs scrape separate endpoints at the same time.
 * They are measured in the same window of `--seconds`, which starts half a minute after the first scrape of all
 * endpoints. Then Servelens runs alone at 3 Hz. CPU time and memory are read from /proc. Ticks and lateness are
 * measured by the server process, which runs on the same machine.
 *
 * Usage: npm run bench -- scrape [--endpoints 50] [--seconds 60] [--engines 3] [--no-peer]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { generateVllmBodies, INTERVAL_MS } from '../bodies/vllmBodies.ts';
import { BodyServers } from './bodyServers.ts';
import { measureWindowCosts, toTotalSeconds, type WindowCost } from './costWindow.ts';
import { toFigures } from './figures.ts';
import { PrometheusScraper, type RunEnd, type ScrapeLoad, ServelensScraper, STARTUP_S } from './scrapers.ts';

const options = yargs(hideBin(argv))
  .option('endpoints', { type: 'number', default: 50, describe: 'Number of endpoints' })
  .option('seconds', {
    type: 'number',
    default: 60,
    describe: 'Duration of the measurement of each scraper in seconds',
  })
  .option('engines', {
    type: 'number',
    default: 3,
    describe: 'Number of engines of the simulated vLLM, 42 KB each',
  })
  .option('peer', { type: 'boolean', default: true, describe: 'Compare with Prometheus, at 1 Hz' })
  .strict()
  .parseSync();

const folder = mkdtempSync(join(tmpdir(), 'servelens-scrape-'));
const bodies = [...generateVllmBodies(options.engines, toTotalSeconds(options.seconds) + STARTUP_S)].map(
  ({ body }) => body,
);
const servers = await BodyServers.start(bodies, folder);
try {
  if (options.peer) await measureBoth();
  await measureAlone();
} finally {
  servers.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Measures both scrapers at the same time, at 1 Hz. */
async function measureBoth(): Promise<void> {
  const { endpoints, seconds } = options;
  const load = { firstEndpoint: 0, endpoints, seconds, intervalMs: 1000 };
  const peer = await PrometheusScraper.start(servers, load, folder);
  const servelens = new ServelensScraper(servers, { ...load, firstEndpoint: peer ? endpoints : 0 }, folder);
  try {
    const [cost, peerCost] = await measureWindowCosts(
      servers,
      peer ? [servelens, peer] : [servelens],
      seconds,
    );
    if (peerCost) print('Prometheus', load, peerCost);
    print('Servelens', load, { ...cost!, ...(await servelens.finish()) }, peerCost);
  } finally {
    servelens.stop();
    await peer?.stop();
  }
}

async function measureAlone(): Promise<void> {
  const { endpoints, seconds } = options;
  const load = { firstEndpoint: 0, endpoints, seconds, intervalMs: INTERVAL_MS };
  await servers.rewind();
  const servelens = new ServelensScraper(servers, load, folder);
  try {
    const [cost] = await measureWindowCosts(servers, [servelens], seconds);
    print('Servelens', load, { ...cost!, ...(await servelens.finish()) });
  } finally {
    servelens.stop();
  }
}

function print(
  scraper: string,
  load: ScrapeLoad,
  cost: WindowCost | (WindowCost & RunEnd),
  peer?: WindowCost,
): void {
  const context = {
    case: `${scraper}, ${load.intervalMs} ms`,
    endpoints: load.endpoints,
    seconds: load.seconds,
    body_bytes: bodies[0]!.length,
  };
  console.log(JSON.stringify({ bench: 'scrape', ...context, ...toFigures(cost, peer) }));
}
