/**
 * Measures the time to import each entry point of @org/formats, as the median over new processes. The target for
 * the main entry point is 60 ms.
 *
 * Usage: npm run bench -- import [--runs 11]
 */
import { spawnSync } from 'node:child_process';
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { round } from '../measure/numbers.ts';

const { runs } = yargs(hideBin(argv))
  .option('runs', { type: 'number', default: 11, describe: 'Number of processes per figure' })
  .strict()
  .parseSync();

const ENTRIES = ['@org/formats', '@org/formats/read', '@org/formats/write', '@org/formats/parquet'];

/** A program that imports a module and prints the duration of the import in milliseconds. */
const PROGRAM = `
  const before = performance.now();
  await import(process.argv[1]);
  console.log(performance.now() - before);`;

for (const entry of ENTRIES) {
  const times = Array.from({ length: runs }, () => measureImportMs(import.meta.resolve(entry)));
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[runs >> 1]!, times.at(-1)!];
  console.log(
    JSON.stringify({ bench: 'import', entry, ms: round(median, 1), slowest_ms: round(slowest, 1), runs }),
  );
}

function measureImportMs(url: string): number {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, url],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`cannot import ${url}: ${stderr}`);
  return Number(stdout);
}
