import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { getTerminalWidth, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import type { ReaderIo } from '../io.ts';
import type { RawOptions } from '../options.ts';
import { type Database, openDatabase } from './database.ts';
import { FORMATS, type Format, type OutputTarget, printResult, type TextFormat } from './output.ts';
import { toQueryError } from './queryError.ts';
import { quoteLiteral } from './views.ts';

export function declare(command: Argv): Argv {
  return command
    .positional('runs', {
      type: 'string',
      array: true,
      describe:
        'Run folders, Parquet files, globs or URLs, followed by the SQL; without SQL, an interactive prompt starts',
    })
    .option('file', {
      alias: 'f',
      type: 'string',
      requiresArg: true,
      describe: 'File with the SQL; - reads standard input',
    })
    .option('format', {
      choices: FORMATS,
      describe: 'Output format [default: by the extension of --output, otherwise table]',
    })
    .option('output', {
      alias: 'o',
      type: 'string',
      requiresArg: true,
      describe: 'File to write the result to [default: standard output]',
    })
    .epilogue(
      'Views: samples, histograms, buckets, series, runs; rows has all columns.\n' +
        'Functions: increase, rate, time_of, le, histogram_quantile.',
    )
    .example('$0 query run1 "SELECT * FROM series"', '')
    .example('$0 query "runs/*/*.parquet" -f slow.sql --format csv', '');
}

/** Runs SQL over the Parquet exports of runs; exits with 0. */
export async function run(raw: RawOptions, io: ReaderIo): Promise<number> {
  const words = Array.isArray(raw.runs) ? raw.runs.map(String) : [];
  const { runs, sql } = await splitWords(words, raw.file as string | undefined);
  if (runs.length === 0)
    throw new UsageError('missing run; expected the folder or Parquet file of a run; see --help');
  const output = raw.output as string | undefined;
  const format = (raw.format as Format | undefined) ?? inferFormat(output);
  if (format === 'parquet' && output === undefined)
    throw new UsageError('--format parquet requires --output FILE');
  const database = await openDatabase(runs).catch((error: unknown) => {
    throw toQueryError(error);
  });
  try {
    // These modules load DuckDB: import them only after it was found.
    if (sql === undefined)
      await (await import('./prompt.ts')).runPrompt(database, io, format === 'parquet' ? 'table' : format);
    else if (format === 'parquet') await writeParquet(database, sql, output!);
    else await printResults(database, sql, format, output, io);
  } catch (error) {
    throw toQueryError(error);
  } finally {
    database.close();
  }
  return 0;
}

/** Splits the words of the command line. The last word is SQL if it contains white space and does not name a file. */
async function splitWords(
  words: readonly string[],
  file: string | undefined,
): Promise<{ runs: readonly string[]; sql?: string }> {
  if (file !== undefined) return { runs: words, sql: await readSql(file) };
  const last = words.at(-1);
  if (last === undefined || !/\s/.test(last.trim()) || (await exists(last))) return { runs: words };
  return { runs: words.slice(0, -1), sql: last };
}

async function readSql(file: string): Promise<string> {
  try {
    return await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read --file ${JSON.stringify(file)}: ${(error as Error).message}`);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function inferFormat(output: string | undefined): Format {
  const extension = extname(output ?? '').slice(1);
  return FORMATS.find(format => format === extension) ?? (output === undefined ? 'table' : 'csv');
}

async function writeParquet({ connection }: Database, sql: string, output: string): Promise<void> {
  const statement = sql.trim().replace(/;+\s*$/, '');
  await connection.run(`COPY (${statement}\n) TO ${quoteLiteral(output)} (FORMAT parquet)`);
}

async function printResults(
  { connection }: Database,
  sql: string,
  format: TextFormat,
  output: string | undefined,
  io: ReaderIo,
): Promise<void> {
  const { runStatements } = await import('./queryResult.ts');
  const target = await openTarget(output, io);
  for await (const result of runStatements(connection, sql)) await printResult(result, format, target);
  if (output === undefined) return;
  target.stream.end();
  await finished(target.stream);
}

async function openTarget(output: string | undefined, io: ReaderIo): Promise<OutputTarget> {
  if (output === undefined)
    return { stream: io.stdout, width: io.stdout.isTTY ? getTerminalWidth(io.stdout) : Infinity };
  const stream = createWriteStream(output);
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', error =>
      reject(new UsageError(`cannot write --output ${JSON.stringify(output)}: ${error.message}`)),
    );
  });
  return { stream, width: Infinity };
}
