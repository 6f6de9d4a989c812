/**
 * How long the statistics of a run take: all series, timeslices of 2 s, each way to estimate percentiles.
 * Usage: node benchmarks/dist/stats.js [--endpoints 2] [--seconds 600] [--engines 3]
 *        node benchmarks/dist/stats.js --hour [--method moments]
 *
 * The stores are filled as in the bench `store`. `reading` is what taking the samples out of the store takes, and is part of
 * each of the others. Times are of the processor (this process with its helper threads), with those by the wall beside them.
 * A process of its own for each row, nothing in it warm: the first call is what an export makes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { type EndpointStore, PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { KINDS, type RoundCost, readingCost, statisticsCost } from './stats/round.ts';
import { fill, Stores } from './store/fill.ts';
import { inOwnProcess } from './store/process.ts';
import { type TraceFacts, writeTrace } from './store/trace.ts';
import { memory } from './store/usage.ts';

const SLICE_NS = 2e9;
const WARM_UP_NS = 5e9;
const TARGET_HOUR_S = 10;
const METHODS = Object.keys(PERCENTILE_METHODS) as PercentileMethod[];
const TASKS = ['trace', 'reading', 'unsliced', ...METHODS] as const;
type Task = (typeof TASKS)[number];

const options = yargs(hideBin(argv))
  .option('endpoints', { type: 'number', default: 2, describe: 'How many endpoints there are' })
  .option('seconds', { type: 'number', default: 600, describe: 'How long each is scraped, at 3 Hz' })
  .option('engines', {
    type: 'number',
    default: 3,
    describe: 'Engines of the simulated vLLM, each some 330 samples',
  })
  .option('hour', { type: 'boolean', default: false, describe: 'One hour, ten endpoints, four engines' })
  .option('method', {
    choices: METHODS,
    describe: 'Only this way to estimate percentiles, and neither reading alone nor a run without slices',
  })
  .option('task', { choices: TASKS, hidden: true })
  .option('folder', { type: 'string', hidden: true })
  .strict()
  .parseSync();

interface Size {
  readonly endpoints: number;
  readonly seconds: number;
  readonly engines: number;
}

interface Outcome extends RoundCost {
  readonly samples: number;
  readonly peakRssMb: number;
}

if (options.task !== undefined) {
  console.log(JSON.stringify(performed(options.task, options.folder!, options)));
} else await runAll();

function performed(task: Task, folder: string, size: Size): TraceFacts | Outcome {
  if (task === 'trace') return writeTrace(folder, size.engines, size.seconds);
  const filled = new Stores(folder, size.endpoints);
  const { samples } = fill(folder, size.endpoints, filled);
  const cost =
    task === 'reading'
      ? readingCost(filled.stores)
      : statisticsCost(filled.stores, store => ({
          period: periodOf(store),
          ...(task !== 'unsliced' && { sliceNs: SLICE_NS }),
          estimator: PERCENTILE_METHODS[task === 'unsliced' ? 'moments' : task],
        }));
  return { ...cost, samples, peakRssMb: memory().peakRssMb };
}

/** All frames but those of the first seconds, one of which becomes the reference. */
function periodOf(store: EndpointStore): { startNs: number; endNs: number } {
  return { startNs: WARM_UP_NS, endNs: store.timeline().offsetsNs.at(-1)! };
}

async function runAll(): Promise<void> {
  const size = options.hour ? { endpoints: 10, seconds: 3600, engines: 4 } : options;
  const folder = mkdtempSync(join(tmpdir(), 'servelens-stats-'));
  try {
    await run<TraceFacts>('trace', folder, size);
    const tasks = options.method ? [options.method] : TASKS.filter(task => task !== 'trace');
    for (const task of tasks) report(task, size, await run<Outcome>(task, folder, size));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run<T>(task: Task, folder: string, { endpoints, seconds, engines }: Size): Promise<T> {
  return inOwnProcess<T>(import.meta.filename, { task, folder, endpoints, seconds, engines });
}

function report(task: Task, { endpoints }: Size, cost: Outcome): void {
  const names: Partial<Record<Task, string>> = {
    reading: 'reading alone',
    unsliced: 'moments, no timeslices',
  };
  const perSeries = KINDS.map(kind => [
    `${kind}_ms`,
    rounded((cost.cpuS[kind] * 1e3) / cost.series[kind], 3),
  ]);
  const row = {
    bench: 'stats',
    case: names[task] ?? `${task}, timeslices of 2 s`,
    endpoints,
    samples: cost.samples,
    series: Object.values(cost.series).reduce((sum, count) => sum + count, 0),
    timeslices: cost.slices,
    estimates: cost.estimates,
    total_s: rounded(cost.totalCpuS, 2),
    total_wall_s: rounded(cost.totalWallS, 2),
    ns_per_sample: rounded((cost.totalCpuS * 1e9) / cost.samples, 1),
    ...Object.fromEntries(perSeries),
    peak_rss_mb: rounded(cost.peakRssMb),
    ...(options.hour && task === 'moments' && { target_s: TARGET_HOUR_S }),
  };
  console.log(JSON.stringify(row));
}

function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
