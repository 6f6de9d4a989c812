/**
 * Measures the time and memory to compute the metrics of the load over time (`effective_*`, `active_*` and
 * `tokens_in_flight`) at the end of a run, compared with AIPerf's functions on the same requests. Each case runs in a new
 * process without warm-up, because a run computes these metrics once.
 *
 * Times are CPU times of all threads, with elapsed times for comparison. Reading the requests is not included.
 *
 * Usage: npm run bench -- metrics [--requests 1000000 --gaps 0]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { round } from '../measure/numbers.ts';
import { runTaskProcess } from '../measure/taskProcess.ts';
import { measureAiperf } from '../peers/aiperfMetrics.ts';
import { type MetricsCost, measureMetrics } from './metricsCost.ts';
import { createRequests, type RunSize, readRequests, writeRequests } from './requestColumns.ts';

/** Runs at the limits of exact times and of stored gaps, each with its maximum CPU time in seconds, and a longer one. */
const RUNS: readonly (RunSize & { readonly targetS?: number })[] = [
  { requests: 1_000_000, gaps: 0, targetS: 3 },
  { requests: 200_000, gaps: 10, targetS: 2 },
  { requests: 3_000_000, gaps: 0 },
];

const options = yargs(hideBin(argv))
  .option('requests', { type: 'number', describe: 'Run only this number of requests' })
  .option('gaps', {
    type: 'number',
    default: 0,
    describe: 'Gaps between chunks per request, with --requests',
  })
  .option('folder', { type: 'string', hidden: true })
  .strict()
  .parseSync();

if (options.folder !== undefined) console.log(JSON.stringify(measureMetrics(readRequests(options.folder))));
else {
  const runs = options.requests === undefined ? RUNS : [{ requests: options.requests, gaps: options.gaps }];
  for (const run of runs) await measureRun(run);
}

async function measureRun({ targetS, ...size }: (typeof RUNS)[number]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-metrics-'));
  try {
    writeRequests(folder, createRequests(size));
    const own = await runTaskProcess<ReturnType<typeof measureMetrics>>(import.meta.filename, { folder });
    const target = targetS === undefined ? {} : { target_s: targetS };
    report(size, 'servelens', own, { add_cpu_s: round(own.addCpuS, 2), ...target });
    const peer = measureAiperf(folder);
    if (peer) report(size, 'aiperf', peer, { max_difference: computeMaxDifference(own, peer) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the largest relative difference of an average. */
function computeMaxDifference(own: MetricsCost, peer: MetricsCost): number {
  const differences = Object.entries(peer.averages).map(([tag, average]) =>
    Math.abs(own.averages[tag]! / average - 1),
  );
  return Number(Math.max(...differences).toExponential(1));
}

function report(
  size: RunSize,
  program: string,
  { cpuS, wallS, peakRssMb }: MetricsCost,
  others: Readonly<Record<string, number>>,
): void {
  console.log(
    JSON.stringify({
      bench: 'metrics',
      program,
      ...size,
      cpu_s: round(cpuS, 2),
      wall_s: round(wallS, 2),
      peak_rss_mb: round(peakRssMb),
      ...others,
    }),
  );
}
