/**
 * Measures the in-memory store: bytes per sample and the time to append and read, compared with plain arrays and
 * Prometheus.
 *
 * The scrapes of one simulated vLLM server under load are parsed once, and the frames are written to a file.
 * They are then appended to every endpoint (see fillCost.ts). Each task runs in a separate process. A sample is
 * one value of one scrape. Times are CPU times, with elapsed times for comparison. `late_*` figures cover the
 * second half of a scraper's run, after the scraper has reached its steady state. `--hour` measures one hour of
 * ten endpoints with 1,316 samples each, without Prometheus; it takes a few minutes.
 *
 * Usage: npm run bench -- store [--endpoints 2] [--seconds 600] [--engines 3] [--peer-seconds 40]
 * npm run bench -- store --hour
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { startBodyServer } from '../bodies/bodyServer.ts';
import { generateVllmBodies } from '../bodies/vllmBodies.ts';
import { round } from '../measure/numbers.ts';
import { runTaskProcess } from '../measure/taskProcess.ts';
import { PROMETHEUS_MISSING } from '../peers/prometheus.ts';
import { type CollectingCost, measureCollecting } from './collectingCost.ts';
import { computeNsPerSample, toFillFigures, toScrapingFigures } from './figures.ts';
import { ArraySink, type FillCost, fillSink, StoreSink } from './fillCost.ts';
import { type TraceFacts, writeTrace } from './frameTrace.ts';
import { measurePrometheus } from './prometheusCost.ts';
import { measureReading, type ReadingCost } from './readingCost.ts';
import { addSizeOptions, runTraceTask, selectSize, type TraceSize } from './traceSize.ts';

const TARGETS = { bytesPerSample: 2, appendNs: 60, hourRssMb: 350 };

/** Additional duration of the bodies in seconds, because scrapers take time to start and stop. */
const SPARE_S = 20;
const TASKS = ['trace', 'store', 'arrays', 'collecting'] as const;
type Task = (typeof TASKS)[number];

const options = addSizeOptions(yargs(hideBin(argv)))
  .option('peer-seconds', {
    type: 'number',
    default: 40,
    describe: 'Duration of the comparison with Prometheus in seconds; 0 skips it',
  })
  .option('task', { choices: TASKS, hidden: true })
  .option('folder', { type: 'string', hidden: true })
  .option('port', { type: 'number', hidden: true })
  .strict()
  .parseSync();

/** Result of the task `store`. */
interface StoreCost extends FillCost {
  /** Size of the buffers of all stores, in bytes. */
  readonly bufferBytes: number;
  readonly reading: ReadingCost;
}

if (options.task !== undefined) {
  console.log(JSON.stringify(await performTask(options.task, options.folder!, options)));
} else await runAll();

async function performTask(task: Task, folder: string, size: TraceSize): Promise<object> {
  if (task === 'trace') return writeTrace(folder, size.engines, size.seconds);
  if (task === 'arrays') return fillSink(folder, size.endpoints, new ArraySink(folder, size.endpoints));
  if (task === 'collecting') return measureCollecting(folder, { ...size, port: options.port! });
  const sink = new StoreSink(folder, size.endpoints);
  const cost = fillSink(folder, size.endpoints, sink);
  const bufferBytes = sink.stores.reduce((sum, store) => sum + store.byteLength, 0);
  return { ...cost, bufferBytes, reading: measureReading(sink.stores[0]!) } satisfies StoreCost;
}

async function runAll(): Promise<void> {
  const size = selectSize(options);
  const folder = mkdtempSync(join(tmpdir(), 'servelens-store-'));
  try {
    await compare(folder, size);
    if (!options.hour && options.peerSeconds > 0) await comparePeer(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(folder: string, size: TraceSize): Promise<void> {
  const trace = await runTraceTask<TraceFacts>(import.meta.filename, 'trace', folder, size);
  print('trace', {
    frames: trace.frames,
    samples_per_frame: trace.slots,
    series: trace.series,
    body_bytes: trace.bodyBytes,
    changed_share: round(trace.changedShare, 3),
    read_ns_per_sample: round((trace.parseCpuS * 1e9) / (trace.frames * trace.slots)),
  });
  const store = await runTraceTask<StoreCost>(import.meta.filename, 'store', folder, size);
  const targets = {
    target_bytes_per_sample: TARGETS.bytesPerSample,
    target_append_ns: TARGETS.appendNs,
    ...(options.hour && { target_rss_mb: TARGETS.hourRssMb }),
  };
  const buffers = { buffer_bytes_per_sample: round(store.bufferBytes / store.samples, 3) };
  print('store', { endpoints: size.endpoints, ...toFillFigures(store), ...buffers, ...targets });
  const { reading } = store;
  print('store, reading', {
    one_value_ns: round(reading.oneValueNs),
    newest_value_ns: round(reading.newestValueNs),
    column_ns_per_value: round(reading.columnNsPerValue, 1),
    histogram_ns_per_value: round(reading.histogramNsPerValue, 1),
  });
  const arrays = await runTraceTask<FillCost>(import.meta.filename, 'arrays', folder, size);
  print('a Float64Array per slot', {
    endpoints: size.endpoints,
    ...toFillFigures(arrays),
    bytes_ratio: round(arrays.heldBytes / store.heldBytes, 1),
  });
}

/**
 * Measures Prometheus and Servelens one after the other, with the same bodies over HTTP. Both store samples in
 * memory and in a log on disk.
 */
async function comparePeer(folder: string): Promise<void> {
  const size = { endpoints: 10, seconds: options.peerSeconds, engines: options.engines };
  const bodies = [...generateVllmBodies(size.engines, size.seconds + SPARE_S)].map(({ body }) => body);
  const peerFolder = join(folder, 'peer');
  mkdirSync(peerFolder);
  const peer = await withServer(bodies, port => measurePrometheus(peerFolder, { ...size, port }));
  if (peer === null) {
    print('Prometheus', { note: PROMETHEUS_MISSING });
  } else {
    print(`scraping, Prometheus ${peer.version}`, {
      ...toScrapingFigures(size, peer),
      snapshot_bytes_per_sample: round(peer.blockBytes / peer.samples, 2),
      snapshot_chunk_bytes_per_sample: round(peer.chunkBytes / peer.samples, 2),
    });
  }
  const servelens = await withServer(bodies, port =>
    runTaskProcess<CollectingCost>(import.meta.filename, {
      task: 'collecting',
      folder: peerFolder,
      port,
      ...size,
    }),
  );
  print('scraping, Servelens', {
    ...toScrapingFigures(size, servelens),
    failed_scrapes: servelens.failedScrapes,
    late_scrapes: servelens.lateScrapes,
    held_mb: round(servelens.heldBytes / 1e6, 1),
    ...(peer && { cpu_ratio: round(computeNsPerSample(peer) / computeNsPerSample(servelens), 1) }),
  });
}

async function withServer<T>(bodies: readonly Buffer[], scrape: (port: number) => Promise<T>): Promise<T> {
  const server = await startBodyServer(bodies);
  try {
    return await scrape(server.port);
  } finally {
    server.close();
  }
}

function print(name: string, row: object): void {
  console.log(JSON.stringify({ bench: 'store', case: name, ...row }));
}
