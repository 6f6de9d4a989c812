/**
 * The Parquet writer and reader beside their peers, on the same rows in the same run; each task has a process of its own.
 * Usage: node benchmarks/dist/parquet.js [--rows 300000] [--only servelens]
 *
 * Prints one JSON line a figure: rows per second (making the rows is not measured), size of the file, and the most memory that
 * the process held, which for DuckDB includes the rows. A run of an hour on thirty servers: --rows 50000000 --only servelens.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { type Measured, tasks } from './parquet/tasks.ts';

const options = yargs(hideBin(argv))
  .option('rows', {
    type: 'number',
    default: 300_000,
    describe: 'About how many rows, a vLLM server has 5.5 million in an hour',
  })
  .option('only', {
    type: 'string',
    describe: 'Only tasks with this in their name; "servelens" leaves the peers out',
  })
  .option('task', { type: 'string', hidden: true })
  .option('folder', { type: 'string', hidden: true })
  .strict()
  .parseSync();

if (options.task !== undefined && options.folder !== undefined) await perform(options.task, options.folder);
else runAll();

/** Runs one task in this process. */
async function perform(name: string, folder: string): Promise<void> {
  const own = join(folder, 'own.parquet');
  const measured = await tasks[name]!(options.rows, join(folder, 'servelens.parquet'), own);
  const maxRssMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ ...measured, maxRssMb } satisfies Outcome));
}

interface Outcome extends Measured {
  readonly maxRssMb: number;
}

function runAll(): void {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-parquet-'));
  try {
    // The first task writes the file that the others read.
    const names = Object.keys(tasks).filter((name, i) => i === 0 || name.includes(options.only ?? ''));
    const outcomes = new Map(names.map(name => [name, inProcess(name, folder)]));
    for (const [name, outcome] of outcomes) report(name, outcome);
    compare(outcomes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inProcess(task: string, folder: string): Outcome {
  const script = argv[1]!;
  const child = spawnSync(
    execPath,
    [script, '--rows', `${options.rows}`, '--task', task, '--folder', folder],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (child.status !== 0) throw new Error(`task ${task} ended with ${child.status ?? child.signal}`);
  return JSON.parse(child.stdout) as Outcome;
}

function report(name: string, { rows, seconds, bytes, maxRssMb }: Outcome): void {
  print(name, 'rows_per_second', Math.round(rows / seconds), rows);
  if (bytes !== undefined) {
    print(name, 'file_bytes', bytes, rows);
    print(name, 'bytes_per_row', Number((bytes / rows).toFixed(3)), rows);
  }
  print(name, 'max_rss_mb', Math.round(maxRssMb), rows);
}

/** How we stand: times faster, and times the size. */
function compare(outcomes: ReadonlyMap<string, Outcome>): void {
  for (const [name, peer] of outcomes) {
    const [verb] = name.split(' ', 1);
    const ours = outcomes.get(`${verb} servelens`);
    if (!ours || ours === peer) continue;
    const faster = ours.rows / ours.seconds / (peer.rows / peer.seconds);
    print(name, 'times_faster_is_servelens', Number(faster.toFixed(2)), ours.rows);
    if (ours.bytes === undefined || peer.bytes === undefined) continue;
    print(name, 'servelens_size_ratio', Number((ours.bytes / peer.bytes).toFixed(3)), ours.rows);
  }
}

function print(task: string, figure: string, value: number, rows: number): void {
  console.log(JSON.stringify({ bench: 'parquet', task, figure, value, rows }));
}
