/**
 * `servelens-reader` on exports of 50 MB, beside what people use in its place: a script around Python's json, and JSON.parse
 * in Node, the floor for every JavaScript program. Each runs in a process of its own, from its start to its end.
 * Usage: node benchmarks/dist/reader.js [--mb 50] [--repeat 5]
 *
 * Prints one JSON line a figure, of the run in the middle of the repeats: by the wall and, since other work on the machine is not in it,
 * in processor time of all threads. Makes its files in a temporary folder and removes them.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { type ExportSize, makeExport } from './reader/file.ts';
import { type Child, runNode, runPython } from './validate/child.ts';

const options = yargs(hideBin(argv))
  .option('mb', { type: 'number', default: 50, describe: 'Size of an export, in MB (10^6 bytes)' })
  .option('repeat', { type: 'number', default: 5, describe: 'How often each runs' })
  .strict()
  .parseSync();

const BIN = fileURLToPath(
  import.meta.resolve('@org/reader').replace(/dist\/index\.js$/, 'bin/servelens-reader.js'),
);

/** The mean of every statistic over all series: the least that a script does with an export. */
const PYTHON = `
import json, sys
for name in sys.argv[1:]:
    with open(name) as file:
        data = json.load(file)
    sums = {}
    for metric, family in data["metrics"].items():
        for one in family["series"]:
            for stat, value in one["stats"].items():
                count, sum = sums.get((metric, stat), (0, 0.0))
                sums[metric, stat] = count + 1, sum + value
    print(len({key: sum / count for key, (count, sum) in sums.items()}))
`;
const FLOOR = `
const { readFileSync } = await import('node:fs');
for (const file of process.argv.slice(1)) console.log(Object.keys(JSON.parse(readFileSync(file, 'utf8')).metrics).length);`;

/** Shapes of exports that reach this size: a long run of few endpoints, and a short one of many. */
const SHAPES: readonly (ExportSize & { readonly name: string })[] = [
  { name: 'timeslices', endpoints: 30, slices: 180, factor: 1 },
  { name: 'series', endpoints: 1000, slices: 0, factor: 1 },
];

const folder = mkdtempSync(join(tmpdir(), 'servelens-reader-'));
try {
  for (const shape of SHAPES) await measure(shape);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ name, ...shape }: (typeof SHAPES)[number]): Promise<void> {
  const base = join(folder, `${name}-base.json`);
  const changed = join(folder, `${name}-new.json`);
  const endpoints = sized(base, shape);
  const series = makeExport(base, { ...shape, endpoints });
  makeExport(changed, { ...shape, endpoints, factor: 1.2 });
  const facts = { exports: name, mb: Math.round(statSync(base).size / 1e5) / 10, series };
  const one = { ours: ['summary', base], files: [base], target: 1.5 };
  const two = { ours: ['compare', base, changed], files: [base, changed], target: 3 };
  for (const { ours, files, target } of [one, two]) {
    const command = ours[0]!;
    const own = await repeated(() => runNode([BIN, ...ours]));
    const floor = await repeated(() => runNode(['--input-type=module', '-e', FLOOR, ...files]));
    const python = await repeated(() => runPython(PYTHON, files));
    const figures = {
      seconds: own.seconds,
      cpu_s: own.cpuSeconds,
      target_s: target,
      json_parse_s: floor.seconds,
      json_parse_cpu_s: floor.cpuSeconds,
      python_json_s: python.seconds,
      python_json_cpu_s: python.cpuSeconds,
      times_python_cpu: Number((own.cpuSeconds / python.cpuSeconds).toFixed(2)),
      peak_mb: own.peakMb,
      python_peak_mb: python.peakMb,
    };
    console.log(JSON.stringify({ bench: 'reader', command, ...facts, ...figures }));
  }
}

/** How many endpoints make a file of the size that is wanted: measured on a tenth of them. */
function sized(file: string, shape: ExportSize): number {
  const few = Math.max(1, Math.round(shape.endpoints / 10));
  makeExport(file, { ...shape, endpoints: few });
  return Math.max(1, Math.round((options.mb * 1e6 * few) / statSync(file).size));
}

/** The run in the middle of the repeats, by its processor time. */
async function repeated(run: () => Promise<Child>): Promise<Omit<Child, 'code' | 'stdout'>> {
  const all: Child[] = [];
  for (let i = 0; i < options.repeat; i++) all.push(await run());
  const broken = all.find(({ code }) => code !== 0);
  if (broken) throw new Error(`ended with ${broken.code}: ${broken.stdout}`);
  const middle = all.sort((a, b) => a.cpuSeconds - b.cpuSeconds)[Math.floor(all.length / 2)]!;
  return {
    seconds: Number(middle.seconds.toFixed(3)),
    cpuSeconds: Number(middle.cpuSeconds.toFixed(3)),
    peakMb: Math.round(Math.max(...all.map(({ peakMb }) => peakMb))),
  };
}
