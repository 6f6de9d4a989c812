/**
 * Measures the time to compute the statistics of all series of a run, with timeslices of 2 s, for each percentile
 * estimation method.
 *
 * The stores are filled as in the benchmark `store`. The case `reading alone` only reads the samples from the
 * store, which all other cases do as well. Times are CPU times of all threads of the process, with
 * elapsed times for comparison. Each case runs in a new process without warm-up, because an export computes
 * statistics once.
 *
 * Usage: npm run bench -- stats [--endpoints 2] [--seconds 600] [--engines 3]
 * npm run bench -- stats --hour [--method moments]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { type EndpointStore, PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { measureMemory } from '../measure/memory.ts';
import { round } from '../measure/numbers.ts';
import { fillSink, StoreSink } from '../store/fillCost.ts';
import { type TraceFacts, writeTrace } from '../store/frameTrace.ts';
import { addSizeOptions, runTraceTask, selectSize, type TraceSize } from '../store/traceSize.ts';
import { KINDS, measureReading, measureStatistics, type StatisticsCost } from './statisticsCost.ts';

const SLICE_NS = 2e9;
const WARM_UP_NS = 5e9;
const TARGET_HOUR_S = 10;
const METHODS = Object.keys(PERCENTILE_METHODS) as PercentileMethod[];
const TASKS = ['trace', 'reading', 'unsliced', ...METHODS] as const;
type Task = (typeof TASKS)[number];

const options = addSizeOptions(yargs(hideBin(argv)))
  .option('method', {
    choices: METHODS,
    describe: 'Run only the case of this estimation method',
  })
  .option('task', { choices: TASKS, hidden: true })
  .option('folder', { type: 'string', hidden: true })
  .strict()
  .parseSync();

interface Outcome extends StatisticsCost {
  readonly samples: number;
  readonly peakRssMb: number;
}

if (options.task !== undefined) {
  console.log(JSON.stringify(performTask(options.task, options.folder!, options)));
} else await runAll();

function performTask(task: Task, folder: string, size: TraceSize): TraceFacts | Outcome {
  if (task === 'trace') return writeTrace(folder, size.engines, size.seconds);
  const sink = new StoreSink(folder, size.endpoints);
  const { samples } = fillSink(folder, size.endpoints, sink);
  const cost =
    task === 'reading'
      ? measureReading(sink.stores)
      : measureStatistics(sink.stores, store => ({
          period: getPeriod(store),
          ...(task !== 'unsliced' && { sliceNs: SLICE_NS }),
          estimator: PERCENTILE_METHODS[task === 'unsliced' ? 'moments' : task],
        }));
  return { ...cost, samples, peakRssMb: measureMemory().peakRssMb };
}

/** Returns the period of a store. The period starts after the warm-up, so that there is a reference scrape. */
function getPeriod(store: EndpointStore): { startNs: number; endNs: number } {
  return { startNs: WARM_UP_NS, endNs: store.timeline().offsetsNs.at(-1)! };
}

async function runAll(): Promise<void> {
  const size = selectSize(options);
  const folder = mkdtempSync(join(tmpdir(), 'servelens-stats-'));
  try {
    await runTraceTask<TraceFacts>(import.meta.filename, 'trace', folder, size);
    const tasks = options.method ? [options.method] : TASKS.filter(task => task !== 'trace');
    for (const task of tasks)
      report(task, size, await runTraceTask<Outcome>(import.meta.filename, task, folder, size));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(task: Task, { endpoints }: TraceSize, cost: Outcome): void {
  const names: Partial<Record<Task, string>> = {
    reading: 'reading alone',
    unsliced: 'moments, no timeslices',
  };
  const perSeries = KINDS.map(kind => [`${kind}_ms`, round((cost.cpuS[kind] * 1e3) / cost.series[kind], 3)]);
  const row = {
    bench: 'stats',
    case: names[task] ?? `${task}, timeslices of 2 s`,
    endpoints,
    samples: cost.samples,
    series: Object.values(cost.series).reduce((sum, count) => sum + count, 0),
    timeslices: cost.slices,
    estimates: cost.estimates,
    total_s: round(cost.totalCpuS, 2),
    total_wall_s: round(cost.totalWallS, 2),
    ns_per_sample: round((cost.totalCpuS * 1e9) / cost.samples, 1),
    ...Object.fromEntries(perSeries),
    peak_rss_mb: round(cost.peakRssMb),
    ...(options.hour && task === 'moments' && { target_s: TARGET_HOUR_S }),
  };
  console.log(JSON.stringify(row));
}
