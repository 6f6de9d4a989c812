/**
 * Measures the memory and speed of validating large exports, compared with programs that only read the files. Each
 * program runs in a separate process.
 *
 * Prints one JSON line per figure. The files are created in a temporary folder, take about 2 GB by default, and
 * are removed at the end.
 *
 * Usage: npm run bench -- validate [--jsonl-mb 1000] [--rows 50000000] [--only jsonl]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { writeJsonl, writeParquet } from '../exports/exportFiles.ts';
import { type ProcessResult, runNode, runPython } from '../measure/measuredProcess.ts';

const options = yargs(hideBin(argv))
  .option('jsonl-mb', {
    type: 'number',
    default: 1000,
    describe: 'Size of the JSONL file in MB (10^6 bytes)',
  })
  .option('rows', { type: 'number', default: 50_000_000, describe: 'Approximate number of Parquet rows' })
  .option('only', { choices: ['jsonl', 'parquet'], describe: 'Validate only this format' })
  .strict()
  .parseSync();

const BIN = fileURLToPath(
  import.meta.resolve('@org/formats').replace(/dist\/index\.js$/, 'bin/servelens-validate.js'),
);
const FORMATS = import.meta.resolve('@org/formats');
const DUCKDB = `
  const { createRequire } = await import('node:module');
  const require = createRequire(${JSON.stringify(FORMATS)});
  const { DuckDBInstance } = require('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const reader = await connection.runAndReadAll(process.argv[1]);
  console.log(reader.getRows().length);`;

/** Queries that read every value, as a validator does, because the sum of hashes depends on all values. */
const READ_PARQUET = (file: string): string =>
  `SELECT sum(hash(COLUMNS(*))::DOUBLE) FROM read_parquet('${file}')`;
const READ_JSONL = (file: string): string =>
  `SELECT count(*), sum(hash(COLUMNS(*))::DOUBLE) FROM read_json('${file}', format = 'newline_delimited')`;
const READ_JSONL_PYTHON = `
import json, sys
with open(sys.argv[1], "rb") as file:
    print(sum(len(json.loads(line)["metrics"]) for line in file))
`;

const folder = mkdtempSync(join(tmpdir(), 'servelens-validate-'));
try {
  if (options.only !== 'parquet') await measureJsonl(join(folder, 'server_metrics_export.jsonl'));
  if (options.only !== 'jsonl') await measureParquet(join(folder, 'server_metrics_export.parquet'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureJsonl(file: string): Promise<void> {
  const lines = await writeJsonl(file, options['jsonl-mb'] * 1e6);
  await measureServelens('JSONL', file, { lines });
  report('DuckDB reads JSONL', file, { lines }, await runProgram(DUCKDB, READ_JSONL(file)));
  const python = await runPython(READ_JSONL_PYTHON, [file]).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (python) report("Python's json reads JSONL", file, { lines }, python);
  else console.error('skipping the peer: python3 not found');
}

async function measureParquet(file: string): Promise<void> {
  const rows = await writeParquet(file, options.rows);
  await measureServelens('Parquet', file, { rows });
  report('DuckDB reads Parquet', file, { rows }, await runProgram(DUCKDB, READ_PARQUET(file)));
}

type Size =
  | Readonly<Record<'lines' | 'rows', number>>
  | { readonly lines: number }
  | { readonly rows: number };

async function measureServelens(format: string, file: string, size: Size): Promise<void> {
  const program = `
    import { fromPath, validate } from ${JSON.stringify(FORMATS)};
    const { valid, issues } = await validate(fromPath(process.argv[1]));
    if (!valid) throw new Error(JSON.stringify(issues[0]));`;
  report(`validate(${format})`, file, size, await runProgram(program, file));
  report(`servelens-validate ${format}`, file, size, await runNode([BIN, file]));
}

async function runProgram(program: string, argument: string): Promise<ProcessResult> {
  return await runNode(['--input-type=module', '--eval', program, argument]);
}

function report(task: string, file: string, size: Size, { code, seconds, peakMb }: ProcessResult): void {
  if (code !== 0) throw new Error(`${task} exited with code ${code}`);
  const bytes = statSync(file).size;
  const print = (figure: string, value: number): void =>
    console.log(JSON.stringify({ bench: 'validate', task, figure, value, bytes, ...size }));
  print('peak_rss_mb', Math.round(peakMb));
  print('mb_per_second', Number((bytes / 1e6 / seconds).toFixed(1)));
  if ('rows' in size) print('rows_per_second', Math.round(size.rows / seconds));
}
