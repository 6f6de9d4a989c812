/**
 * Measures the page of an active run: `servelens watch` shows a run of simulated servers, of which `--seconds` are written
 * before the page is opened. Then the run continues in real time, and a client receives the updates like a browser.
 *
 * Prints, for the updates after the first ones: the time between two updates, the CPU time of the process of the page as a
 * share of one core, the part of the time in which updates needed a CPU and had one, the share of the updates after which the
 * machine counted as busy, the peak memory of the process, the bytes per update, and the load average at the start and at the end.
 *
 * Usage: npm run bench -- watch [--endpoints 8] [--seconds 600] [--observe 30]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { computeMedian, round } from '../measure/numbers.ts';
import { readProcessUsage } from '../measure/processUsage.ts';
import { ActiveRun } from './activeRun.ts';
import { readUpdates, type Update } from './updates.ts';

const { endpoints, seconds, observe, profile } = yargs(hideBin(argv))
  .option('endpoints', { type: 'number', default: 8, describe: 'Number of simulated vLLM servers' })
  .option('seconds', { type: 'number', default: 600, describe: 'Length of the run when its page is opened' })
  .option('observe', { type: 'number', default: 30, describe: 'Time to observe the page, in seconds' })
  .option('profile', { type: 'string', describe: 'Folder for a CPU profile of the process of the page' })
  .strict()
  .parseSync();

/** Number of updates that are not measured: they read everything, and compile the program. */
const WARMUP_UPDATES = 3;
/** Maximum time to wait for them, in seconds. */
const MAX_WARMUP_S = 90;
const SERVELENS = fileURLToPath(new URL('../../../apps/cli/bin/servelens.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'servelens-watch-'));
const run = new ActiveRun(folder, endpoints);
run.advance(seconds);
const options = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
const child = spawn(process.execPath, [...options, SERVELENS, 'watch', folder], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
try {
  await measure();
} finally {
  const exited = new Promise(resolve => child.on('exit', resolve));
  child.kill('SIGINT');
  await exited;
  await run.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const url = await readAddress();
  const updates: Update[] = [];
  const stop = new AbortController();
  const received = readUpdates(url, updates, stop.signal);
  await continueRun(MAX_WARMUP_S, () => updates.length >= WARMUP_UPDATES);
  const before = { cpuS: readProcessUsage(child.pid!).cpuS, updates: updates.length, load: loadavg()[0]! };
  const startMs = performance.now();
  await continueRun(observe);
  const usage = readProcessUsage(child.pid!);
  const elapsedS = (performance.now() - startMs) / 1000;
  stop.abort();
  await received;
  const measured = updates.slice(before.updates);
  const gaps = measured.slice(1).map(({ atMs }, i) => (atMs - measured[i]!.atMs) / 1000);
  console.log(
    JSON.stringify({
      bench: 'watch',
      endpoints,
      seconds,
      requests: run.requests,
      updates: measured.length,
      seconds_between_updates: round(computeMedian(gaps), 2),
      max_seconds_between_updates: round(Math.max(...gaps), 2),
      cpu_share: round((usage.cpuS - before.cpuS) / elapsedS, 3),
      cpu_ms_per_update: round(((usage.cpuS - before.cpuS) * 1000) / measured.length, 0),
      cpu_availability: round(computeMedian(measured.map(({ cpuAvailability }) => cpuAvailability)), 2),
      min_cpu_availability: round(Math.min(...measured.map(({ cpuAvailability }) => cpuAvailability)), 2),
      busy_updates: round(measured.filter(({ isBusy }) => isBusy).length / measured.length, 2),
      load_average: [round(before.load, 1), round(loadavg()[0]!, 1)],
      peak_mb: round(usage.peakRssMb, 0),
      kb_per_update: round(computeMedian(measured.map(({ bytes }) => bytes)) / 1000, 0),
    }),
  );
}

/** Appends to the files of the run in real time, for some seconds or until a condition is met. */
async function continueRun(durationS: number, isDone: () => boolean = () => false): Promise<void> {
  const startMs = performance.now();
  for (let second = 1; second <= durationS && !isDone(); second++) {
    run.advance(1);
    const waitMs = startMs + 1000 * second - performance.now();
    await new Promise(resolve => setTimeout(resolve, Math.max(0, waitMs)));
  }
}

/** Waits for the address of the page. */
async function readAddress(): Promise<string> {
  let text = '';
  for await (const chunk of child.stderr!) {
    text += chunk;
    const url = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//.exec(text)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`the page was not served: ${text}`);
}
