/**
 * What it costs to keep samples: bytes, time to append, time to read, beside plain arrays and Debian's Prometheus.
 * Usage: node benchmarks/dist/store.js [--endpoints 2] [--seconds 600] [--engines 3] [--peer-seconds 40]
 *        node benchmarks/dist/store.js --hour
 *
 * One simulated vLLM under load is scraped once and its frames put into a file; every endpoint then replays it, with its times
 * shifted (see store/fill.ts). Each figure comes from a process of its own, that has nothing else in its memory.
 * A sample is one value of one scrape. Times are of the processor, with those by the wall beside them. `late` is the second
 * half of the time that the peers scrape, in which they do what they will go on doing.
 * `--hour` is an hour of ten endpoints of 1,316 samples each, and no peer: it takes some minutes.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { NO_PROMETHEUS } from './process/prometheus.ts';
import { type CollectingCost, collectingCost } from './store/collecting.ts';
import { Arrays, type FillCost, fill, Stores } from './store/fill.ts';
import { inOwnProcess } from './store/process.ts';
import { type PrometheusCost, prometheusCost } from './store/prometheus.ts';
import { type ReadingCost, readingCost } from './store/reading.ts';
import { serveBodies } from './store/server.ts';
import { busyBodies, type TraceFacts, writeTrace } from './store/trace.ts';

const TARGETS = { bytesPerSample: 2, appendNs: 60, hourRssMb: 350 };

/** More bodies than are asked for in the time: a peer takes a while to begin and to end. */
const SPARE_S = 20;
const TASKS = ['trace', 'store', 'arrays', 'collecting'] as const;
type Task = (typeof TASKS)[number];

const options = yargs(hideBin(argv))
  .option('endpoints', { type: 'number', default: 2, describe: 'How many endpoints there are' })
  .option('seconds', { type: 'number', default: 600, describe: 'How long each is scraped, at 3 Hz' })
  .option('engines', {
    type: 'number',
    default: 3,
    describe: 'Engines of the simulated vLLM, each some 330 samples',
  })
  .option('peer-seconds', {
    type: 'number',
    default: 40,
    describe: 'How long Prometheus scrapes, in real time; 0 for not at all',
  })
  .option('hour', { type: 'boolean', default: false, describe: 'One hour, ten endpoints, four engines' })
  .option('task', { choices: TASKS, hidden: true })
  .option('folder', { type: 'string', hidden: true })
  .option('port', { type: 'number', hidden: true })
  .strict()
  .parseSync();

/** What the store's process has to say. */
interface StoreCost extends FillCost {
  readonly bufferBytes: number;
  readonly reading: ReadingCost;
}

interface Size {
  readonly endpoints: number;
  readonly seconds: number;
  readonly engines: number;
}

if (options.task !== undefined) {
  console.log(JSON.stringify(await performed(options.task, options.folder!, options)));
} else await runAll();

async function performed(task: Task, folder: string, size: Size): Promise<object> {
  if (task === 'trace') return writeTrace(folder, size.engines, size.seconds);
  if (task === 'arrays') return fill(folder, size.endpoints, new Arrays(folder, size.endpoints));
  if (task === 'collecting') return collectingCost(folder, { ...size, port: options.port! });
  const filled = new Stores(folder, size.endpoints);
  const cost = fill(folder, size.endpoints, filled);
  const bufferBytes = filled.stores.reduce((sum, store) => sum + store.byteLength, 0);
  return { ...cost, bufferBytes, reading: readingCost(filled.stores[0]!) } satisfies StoreCost;
}

async function runAll(): Promise<void> {
  const size = options.hour ? { endpoints: 10, seconds: 3600, engines: 4 } : options;
  const folder = mkdtempSync(join(tmpdir(), 'servelens-store-'));
  try {
    await compare(folder, size);
    if (!options.hour && options.peerSeconds > 0) await comparePeer(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(folder: string, size: Size): Promise<void> {
  const trace = await run<TraceFacts>('trace', folder, size);
  print('trace', {
    frames: trace.frames,
    samples_per_frame: trace.slots,
    series: trace.series,
    body_bytes: trace.bodyBytes,
    changed_share: rounded(trace.changedShare, 3),
    read_ns_per_sample: rounded((trace.parseCpuS * 1e9) / (trace.frames * trace.slots)),
  });
  const store = await run<StoreCost>('store', folder, size);
  const targets = {
    target_bytes_per_sample: TARGETS.bytesPerSample,
    target_append_ns: TARGETS.appendNs,
    ...(options.hour && { target_rss_mb: TARGETS.hourRssMb }),
  };
  const buffers = { buffer_bytes_per_sample: rounded(store.bufferBytes / store.samples, 3) };
  print('store', { endpoints: size.endpoints, ...figures(store), ...buffers, ...targets });
  const { reading } = store;
  print('store, reading', {
    one_value_ns: rounded(reading.oneValueNs),
    newest_value_ns: rounded(reading.newestValueNs),
    column_ns_per_value: rounded(reading.columnNsPerValue, 1),
    histogram_ns_per_value: rounded(reading.histogramNsPerValue, 1),
  });
  const arrays = await run<FillCost>('arrays', folder, size);
  print('a Float64Array per series', {
    endpoints: size.endpoints,
    ...figures(arrays),
    bytes_ratio: rounded(arrays.heldBytes / store.heldBytes, 1),
  });
}

/** Both scrape the same bodies over HTTP, one after the other, and keep them in memory and in a log on disk. */
async function comparePeer(folder: string): Promise<void> {
  const size = { endpoints: 10, seconds: options.peerSeconds, engines: options.engines };
  const bodies = [...busyBodies(size.engines, size.seconds + SPARE_S)].map(({ body }) => body);
  const inside = join(folder, 'peer');
  mkdirSync(inside);
  const peer = await withServer(bodies, port => prometheusCost(inside, { ...size, port }));
  if (peer === null) {
    print('Prometheus', { note: NO_PROMETHEUS });
  } else {
    print(`scraping, Prometheus ${peer.version}`, {
      ...scrapingFigures(size, peer),
      snapshot_bytes_per_sample: rounded(peer.blockBytes / peer.samples, 2),
      snapshot_chunk_bytes_per_sample: rounded(peer.chunkBytes / peer.samples, 2),
    });
  }
  const ours = await withServer(bodies, port =>
    inOwnProcess<CollectingCost>(import.meta.filename, { task: 'collecting', folder: inside, port, ...size }),
  );
  print('scraping, ours', {
    ...scrapingFigures(size, ours),
    failed_scrapes: ours.failedScrapes,
    late_scrapes: ours.lateScrapes,
    held_mb: rounded(ours.heldBytes / 1e6, 1),
    ...(peer && { cpu_ratio: rounded(nsPerSample(peer) / nsPerSample(ours), 1) }),
  });
}

async function withServer<T>(bodies: readonly Buffer[], scrape: (port: number) => Promise<T>): Promise<T> {
  const server = await serveBodies(bodies);
  try {
    return await scrape(server.port);
  } finally {
    server.close();
  }
}

function nsPerSample({ late }: PrometheusCost | CollectingCost): number {
  return (late.cpuS * 1e9) / late.samples;
}

function scrapingFigures({ endpoints, seconds }: Size, cost: PrometheusCost | CollectingCost): object {
  return {
    endpoints,
    seconds,
    samples: cost.samples,
    rss_mb: rounded(cost.rssMb),
    base_rss_mb: rounded(cost.baseRssMb),
    peak_rss_mb: rounded(cost.peakRssMb),
    late_cpu_s: rounded(cost.late.cpuS, 2),
    late_cpu_ns_per_sample: rounded(nsPerSample(cost)),
  };
}

function run<T>(task: Task, folder: string, { endpoints, seconds, engines }: Size): Promise<T> {
  return inOwnProcess<T>(import.meta.filename, { task, folder, endpoints, seconds, engines });
}

function figures(cost: FillCost): object {
  return {
    samples: cost.samples,
    bytes_per_sample: rounded(cost.heldBytes / cost.samples, 3),
    append_ns: rounded((cost.appendCpuS * 1e9) / cost.samples, 1),
    append_wall_ns: rounded((cost.appendWallS * 1e9) / cost.samples, 1),
    rss_mb: rounded(cost.rssMb),
    base_rss_mb: rounded(cost.baseRssMb),
    peak_rss_mb: rounded(cost.peakRssMb),
  };
}

function print(what: string, row: object): void {
  console.log(JSON.stringify({ bench: 'store', case: what, ...row }));
}

function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
