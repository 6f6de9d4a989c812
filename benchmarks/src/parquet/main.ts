/**
 * Compares the Parquet writer and reader with other libraries, on the same rows. Each task runs in a separate
 * process.
 *
 * Prints one JSON line per figure: rows per second (excluding the time to create the rows), file size, peak
 * memory, which for DuckDB includes the rows, and the ratios of Servelens to the other libraries. For a
 * one-hour run with thirty endpoints (50 million rows), use --rows 50000000 --only servelens.
 *
 * Usage: npm run bench -- parquet [--rows 300000] [--only servelens]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { computeRatios, computeTaskFigures, type Outcome } from './figures.ts';
import { tasks } from './tasks.ts';

const options = yargs(hideBin(argv))
  .option('rows', {
    type: 'number',
    default: 300_000,
    describe: 'Approximate number of rows; an endpoint has 1.65 million per hour',
  })
  .option('only', {
    type: 'string',
    describe: 'Run only tasks whose name contains this text; "servelens" skips the peers',
  })
  .option('task', { type: 'string', hidden: true })
  .option('folder', { type: 'string', hidden: true })
  .strict()
  .parseSync();

if (options.task !== undefined && options.folder !== undefined) await runTask(options.task, options.folder);
else runAll();

/** Runs one task in this process. */
async function runTask(name: string, folder: string): Promise<void> {
  const peerFile = join(folder, 'peer.parquet');
  const measured = await tasks[name]!(options.rows, join(folder, 'servelens.parquet'), peerFile);
  const maxRssMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ ...measured, maxRssMb } satisfies Outcome));
}

function runAll(): void {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-parquet-'));
  try {
    // The first task always runs, because it writes the file that the other tasks read.
    const names = Object.keys(tasks).filter((name, i) => i === 0 || name.includes(options.only ?? ''));
    const outcomes = new Map(names.map(name => [name, runInProcess(name, folder)]));
    const figures = [...outcomes].flatMap(([name, outcome]) => computeTaskFigures(name, outcome));
    for (const figure of [...figures, ...computeRatios(outcomes)])
      console.log(JSON.stringify({ bench: 'parquet', ...figure }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runInProcess(task: string, folder: string): Outcome {
  const script = argv[1]!;
  const child = spawnSync(
    execPath,
    [script, '--rows', `${options.rows}`, '--task', task, '--folder', folder],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (child.status !== 0)
    throw new Error(`task ${JSON.stringify(task)} exited with ${child.status ?? child.signal}`);
  return JSON.parse(child.stdout) as Outcome;
}
