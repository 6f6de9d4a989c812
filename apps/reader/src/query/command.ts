import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { getTerminalWidth, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import type { ReaderIo } from '../io.ts';
import { type Database, openDatabase } from './database.ts';
import { FORMATS, type Format, type Page, printAnswer, type TextFormat } from './output.ts';
import { queryError } from './queryError.ts';
import { literal } from './views.ts';

export function declareQuery(command: Argv): Argv {
  return command
    .positional('runs', {
      type: 'string',
      array: true,
      describe:
        'Folders of runs, Parquet files, globs or URLs, and then the SQL; without SQL a prompt asks for it',
    })
    .option('file', {
      alias: 'f',
      type: 'string',
      requiresArg: true,
      describe: 'A file with the SQL; - is the input',
    })
    .option('format', {
      choices: FORMATS,
      describe: "What is printed; a table, unless --output's name says another",
    })
    .option('output', { alias: 'o', type: 'string', requiresArg: true, describe: 'A file for the answer' })
    .epilogue(
      'Views: samples, histograms, buckets, series, runs; rows has all columns.\n' +
        'Functions: increase, rate, time_of, le, histogram_quantile.',
    )
    .example('$0 query run1 "SELECT * FROM series"', '')
    .example('$0 query "runs/*/*.parquet" -f slow.sql --format csv', '');
}

/** Answers SQL over the Parquet exports of runs; 0. */
export async function query(raw: Readonly<Record<string, unknown>>, io: ReaderIo): Promise<number> {
  const words = Array.isArray(raw.runs) ? raw.runs.map(String) : [];
  const { runs, sql } = await questionOf(words, raw.file as string | undefined);
  if (runs.length === 0) throw new UsageError('name a run: its folder or Parquet file; see --help');
  const output = raw.output as string | undefined;
  const format = (raw.format as Format | undefined) ?? formatOf(output);
  if (format === 'parquet' && output === undefined)
    throw new UsageError('--format parquet needs --output FILE');
  const database = await openDatabase(runs).catch((error: unknown) => {
    throw queryError(error);
  });
  try {
    // Only now is it known that DuckDB is there, which these two need to load.
    if (sql === undefined)
      await (await import('./prompt.ts')).prompt(database, io, format === 'parquet' ? 'table' : format);
    else if (format === 'parquet') await writeParquet(database, sql, output!);
    else await answer(database, sql, format, output, io);
  } catch (error) {
    throw queryError(error);
  } finally {
    database.close();
  }
  return 0;
}

/** The last word is SQL when it has a blank and is no file. */
async function questionOf(
  words: readonly string[],
  file: string | undefined,
): Promise<{ runs: readonly string[]; sql?: string }> {
  if (file !== undefined) return { runs: words, sql: await readSql(file) };
  const last = words.at(-1);
  if (last === undefined || !/\s/.test(last.trim()) || (await isThere(last))) return { runs: words };
  return { runs: words.slice(0, -1), sql: last };
}

async function readSql(file: string): Promise<string> {
  try {
    return await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--file ${JSON.stringify(file)}: ${(error as Error).message}`);
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function formatOf(output: string | undefined): Format {
  const ending = extname(output ?? '').slice(1);
  return FORMATS.find(one => one === ending) ?? (output === undefined ? 'table' : 'csv');
}

async function writeParquet({ connection }: Database, sql: string, output: string): Promise<void> {
  const statement = sql.trim().replace(/;+\s*$/, '');
  await connection.run(`COPY (${statement}\n) TO ${literal(output)} (FORMAT parquet)`);
}

async function answer(
  { connection }: Database,
  sql: string,
  format: TextFormat,
  output: string | undefined,
  io: ReaderIo,
): Promise<void> {
  const { answers } = await import('./queryResult.ts');
  const page = await pageOf(output, io);
  for await (const one of answers(connection, sql)) await printAnswer(one, format, page);
  if (output === undefined) return;
  page.stream.end();
  await finished(page.stream);
}

async function pageOf(output: string | undefined, io: ReaderIo): Promise<Page> {
  if (output === undefined)
    return { stream: io.stdout, width: io.stdout.isTTY ? getTerminalWidth(io.stdout) : Infinity };
  const stream = createWriteStream(output);
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', error =>
      reject(new UsageError(`--output ${JSON.stringify(output)}: ${error.message}`)),
    );
  });
  return { stream, width: Infinity };
}
