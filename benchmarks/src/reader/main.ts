/**
 * Compares `servelens-reader` on exports of 50 MB with a script that uses Python's json module, and with a
 * script that only calls JSON.parse in Node. Each program runs in a separate process and is timed from start to
 * exit.
 *
 * Prints one JSON line per command and export, from the run with the median CPU time: elapsed time, and CPU time of all
 * threads, which is less affected by other load on the machine. Files are created in a temporary folder and removed at
 * the end.
 *
 * With --large, only the summary and the page of a run of 60 endpoints and 720 timeslices (298 MB) are measured, its page with
 * all scrapes (JSONL), and the page of a sweep with 500 load points.
 *
 * Usage: npm run bench -- reader [--mb 50] [--repeat 5] [--large]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { type ProcessResult, runNode, runPython } from '../measure/measuredProcess.ts';
import { round } from '../measure/numbers.ts';
import { type ExportSize, writeJsonExport } from './jsonExport.ts';
import { writeRecordsExport } from './recordsExport.ts';
import { writeSweepExport } from './sweepExport.ts';

const options = yargs(hideBin(argv))
  .option('mb', { type: 'number', default: 50, describe: 'Size of an export in MB (10^6 bytes)' })
  .option('large', {
    type: 'boolean',
    default: false,
    describe: 'Only measure a run of 298 MB and a sweep of 500 loads',
  })
  .option('repeat', { type: 'number', default: 5, describe: 'Number of repeats' })
  .strict()
  .parseSync();

const BIN = fileURLToPath(
  import.meta.resolve('@org/reader').replace(/dist\/index\.js$/, 'bin/servelens-reader.js'),
);

/** A simple evaluation of an export: computes the mean of every statistic over all series. */
const PYTHON = `
import json, sys
for name in sys.argv[1:]:
    with open(name) as file:
        data = json.load(file)
    sums = {}
    for metric, family in data["metrics"].items():
        for series in family["series"]:
            for stat, value in series["stats"].items():
                count, sum = sums.get((metric, stat), (0, 0.0))
                sums[metric, stat] = count + 1, sum + value
    print(len({key: sum / count for key, (count, sum) in sums.items()}))
`;
const JSON_PARSE = `
const { readFileSync } = await import('node:fs');
for (const file of process.argv.slice(1)) console.log(Object.keys(JSON.parse(readFileSync(file, 'utf8')).metrics).length);`;

/**
 * The shapes of the exports: few endpoints with timeslices, and many endpoints without. `endpoints` is adjusted
 * to --mb.
 */
const SHAPES: readonly (ExportSize & { readonly name: string })[] = [
  { name: 'timeslices', endpoints: 30, slices: 180, factor: 1 },
  { name: 'series', endpoints: 1000, slices: 0, factor: 1 },
];

const folder = mkdtempSync(join(tmpdir(), 'servelens-reader-'));
try {
  if (options.large) await measureLarge();
  else for (const shape of SHAPES) await measure(shape);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ name, ...shape }: (typeof SHAPES)[number]): Promise<void> {
  const base = join(folder, `${name}-base.json`);
  const changed = join(folder, `${name}-new.json`);
  const endpoints = findEndpointCount(base, shape);
  const series = writeJsonExport(base, { ...shape, endpoints });
  writeJsonExport(changed, { ...shape, endpoints, factor: 1.2 });
  const context = { exports: name, mb: Math.round(statSync(base).size / 1e5) / 10, series };
  const summary = { args: ['summary', base], files: [base], target: 1.5 };
  const comparison = { args: ['compare', base, changed], files: [base, changed], target: 3 };
  for (const { args, files, target } of [summary, comparison]) {
    const command = args[0]!;
    const servelens = await runRepeatedly(() => runNode([BIN, ...args]));
    const parse = await runRepeatedly(() => runNode(['--input-type=module', '-e', JSON_PARSE, ...files]));
    const python = await runRepeatedly(() => runPython(PYTHON, files));
    const figures = {
      seconds: servelens.seconds,
      cpu_s: servelens.cpuSeconds,
      target_s: target,
      json_parse_s: parse.seconds,
      json_parse_cpu_s: parse.cpuSeconds,
      python_json_s: python.seconds,
      python_json_cpu_s: python.cpuSeconds,
      times_python_cpu: round(servelens.cpuSeconds / python.cpuSeconds, 2),
      peak_mb: servelens.peakMb,
      python_peak_mb: python.peakMb,
    };
    console.log(JSON.stringify({ bench: 'reader', command, ...context, ...figures }));
  }
}

/** Measures the summary and the page of a run with many endpoints and timeslices, and the page of a large sweep. */
async function measureLarge(): Promise<void> {
  const file = join(folder, 'server_metrics_export.json');
  const series = writeJsonExport(file, { endpoints: 60, slices: 720, factor: 1 });
  const context = { mb: measureMb(file), series };
  await printLarge('summary', file, { exports: 'large', ...context });
  await printLarge('report', file, { exports: 'large', ...context });
  const records = join(folder, 'server_metrics_export.jsonl');
  writeRecordsExport(records, 60, 1000);
  await printLarge('report', folder, {
    exports: 'large, all scrapes',
    ...context,
    jsonl_mb: measureMb(records),
  });
  const sweep = join(folder, 'sweep');
  const points = 500;
  const results = writeSweepExport(sweep, points);
  await printLarge('report', sweep, { exports: 'sweep', mb: measureMb(results), points });
}

function measureMb(file: string): number {
  return Math.round(statSync(file).size / 1e5) / 10;
}

/** Measures the summary or the page of a run or sweep, and prints the figures. */
async function printLarge(command: 'summary' | 'report', path: string, context: object): Promise<void> {
  const page = join(folder, 'page.html');
  const args = command === 'report' ? [command, path, '--output', page] : [command, path];
  const servelens = await runRepeatedly(() => runNode([BIN, ...args]));
  const figures = {
    seconds: servelens.seconds,
    cpu_s: servelens.cpuSeconds,
    peak_mb: servelens.peakMb,
    ...(command === 'report' && {
      target_s: 10,
      target_mb: 300,
      page_kb: Math.round(statSync(page).size / 1000),
    }),
  };
  console.log(JSON.stringify({ bench: 'reader', command, ...context, ...figures }));
}

/**
 * Estimates the number of endpoints for the requested file size, from the size of a file with a tenth of the
 * endpoints of `shape`.
 */
function findEndpointCount(file: string, shape: ExportSize): number {
  const sampleEndpoints = Math.max(1, Math.round(shape.endpoints / 10));
  writeJsonExport(file, { ...shape, endpoints: sampleEndpoints });
  return Math.max(1, Math.round((options.mb * 1e6 * sampleEndpoints) / statSync(file).size));
}

/**
 * Runs a command repeatedly. Returns the times of the run with the median CPU time, and the peak memory of all
 * runs.
 */
async function runRepeatedly(
  run: () => Promise<ProcessResult>,
): Promise<Omit<ProcessResult, 'code' | 'stdout' | 'stderr'>> {
  const results: ProcessResult[] = [];
  for (let i = 0; i < options.repeat; i++) results.push(await run());
  const failed = results.find(({ code }) => code !== 0);
  if (failed)
    throw new Error(`the command exited with code ${failed.code}: ${failed.stdout}${failed.stderr}`);
  const median = results.sort((a, b) => a.cpuSeconds - b.cpuSeconds)[Math.floor(results.length / 2)]!;
  return {
    seconds: round(median.seconds, 3),
    cpuSeconds: round(median.cpuSeconds, 3),
    peakMb: Math.round(Math.max(...results.map(({ peakMb }) => peakMb))),
  };
}
