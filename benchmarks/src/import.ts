/**
 * What it costs to import each entry of @org/formats: median of fresh processes, beside the start of Node itself.
 * Usage: node benchmarks/dist/import.js [--runs 11]
 *
 * Prints one JSON line a figure. The target is 60 ms for the main entry.
 */
import { spawnSync } from 'node:child_process';
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';

const { runs } = yargs(hideBin(argv))
  .option('runs', { type: 'number', default: 11, describe: 'Processes for each figure' })
  .strict()
  .parseSync();

const ENTRIES = ['@org/formats', '@org/formats/read', '@org/formats/write', '@org/formats/parquet'];

/** Milliseconds from before to after the import, as the process itself sees it. */
const PROGRAM = `
  const before = performance.now();
  await import(process.argv[1]);
  console.log(performance.now() - before);`;

for (const entry of ENTRIES) {
  const times = Array.from({ length: runs }, () => importTime(import.meta.resolve(entry)));
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[runs >> 1]!, times.at(-1)!];
  console.log(
    JSON.stringify({ bench: 'import', entry, ms: rounded(median), slowest_ms: rounded(slowest), runs }),
  );
}

function importTime(url: string): number {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, url],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`cannot import ${url}: ${stderr}`);
  return Number(stdout);
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
