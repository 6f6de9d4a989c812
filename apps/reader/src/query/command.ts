import { readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OpenOptions } from '@org/analysis';
import { describeSystemError } from '@org/core/systemError';
import { writeFileAtomic } from '@org/formats/write';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { getTerminalWidth, toPrintable, UsageError } from '@org/terminal';
import {
  type Command,
  type CommandContext,
  flag,
  type Io,
  option,
  type RawOptions,
  readList,
} from '@org/terminal/program';
import { isDatasetFolder } from '../dataset/datasetMarker.ts';
import { type Database, openDatabase, toQueryError } from './database.ts';
import { MACROS } from './macros.ts';
import { FORMATS, type Format, formatResult, printResult, type TextFormat } from './output.ts';
import { quoteLiteral } from './views.ts';

/** The command `servelens read query`. */
export const queryCommand: Command = {
  usage: '[options] RUN... [SQL]',
  arguments: [
    {
      name: 'runs',
      placeholder: 'RUN',
      description:
        'Folders of runs, sweeps or repeated runs, Parquet files, globs or URLs, or one dataset, followed by the SQL; without SQL, an interactive prompt starts',
      isList: true,
    },
  ],
  optionGroups: [
    {
      title: 'Input',
      options: {
        file: option('FILE', 'File with the SQL; - reads standard input', { aliases: ['f'] }),
        ...SERVERS_OPTION,
      },
    },
    {
      title: 'Output',
      options: {
        format: option('FORMAT', 'Output format', {
          choices: FORMATS,
          conflicts: ['json'],
          defaultText: 'by the extension of --output, otherwise table',
        }),
        json: flag('Print JSON, as --format json'),
        output: option('FILE', 'File to write the result to', {
          aliases: ['o'],
          defaultText: 'standard output',
        }),
      },
    },
  ],
  sections: [
    {
      title: 'Views',
      entries: [
        { term: 'samples', description: 'Values of gauges and counters, one row per scrape and series' },
        { term: 'histograms', description: 'Buckets of histograms, one row per scrape, series and bucket' },
        { term: 'buckets', description: 'Buckets of histograms over the whole period' },
        { term: 'series', description: 'One row per series, with its number of samples' },
        {
          term: 'statistics',
          description:
            'One row per run and series, also of client metrics: avg, p50, p99, total, per_second, ...',
        },
        {
          term: 'derived',
          description:
            'Metrics computed from others, such as hit rates: one row per run, endpoint and metric, and one per timeslice',
        },
        { term: 'requests', description: 'Client metrics, one row per request and metric' },
        { term: 'gpu_samples', description: 'Samples of GPUs, one row per sample and metric' },
        { term: 'runs', description: 'One row per run, with its metadata' },
        { term: 'rows', description: 'All columns of the Parquet exports' },
      ],
    },
    {
      title: 'Functions',
      entries: MACROS.map(({ call, description }) => ({
        term: call,
        description: description.replace(/^./, letter => letter.toUpperCase()),
      })),
    },
  ],
  examples: [
    {
      command: 'servelens read query run1 "SELECT * FROM series"',
      description: 'List the series of a run',
    },
    {
      command: "servelens read query sweep 'SELECT trial, metric_name, avg FROM statistics'",
      description: 'List the mean of each metric in each run of a sweep',
    },
    {
      command: 'servelens read query "runs/*/*.parquet" -f slow.sql --format csv',
      description: 'Run the SQL in a file over several runs, and print CSV',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    [
      '2',
      'a run cannot be read, a statement fails, the result would overwrite a file of the run, or the arguments are invalid',
    ],
  ],
  run,
};

/** Runs SQL on the Parquet exports of runs, or starts an interactive prompt. Returns the exit code. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  const { runs, sql } = await splitArguments(readList(raw, 'runs'), raw.file as string | undefined);
  if (runs.length === 0)
    throw new UsageError('missing run; expected the folder or Parquet file of a run; see --help');
  const output = raw.output as string | undefined;
  const format = readFormat(raw) ?? inferFormat(output);
  if (format === 'parquet' && output === undefined)
    throw new UsageError('--format parquet requires --output FILE');
  if (sql === undefined && output !== undefined)
    throw new UsageError(
      '--output requires SQL, as the last argument or with --file; --file - reads standard input',
    );
  const servers = await readServersOption(raw, io);
  const database = await open(runs, sql, { servers }).catch((error: unknown) => {
    throw toQueryError(error);
  });
  try {
    const notes = [...database.notes, ...(sql === undefined ? [] : await database.tables.load(sql))];
    for (const note of notes) io.stderr.write(`${toPrintable(note)}\n`);
    // These modules load DuckDB, so they are imported after `openDatabase` has checked that it is installed.
    if (sql === undefined)
      return await (await import('./prompt.ts')).runPrompt(
        database,
        io,
        format === 'parquet' ? 'table' : format,
      );
    if (output === undefined) await printResults(database, sql, format as TextFormat, io);
    else await writeResults(database, sql, format, output);
    return 0;
  } catch (error) {
    throw toQueryError(error);
  } finally {
    database.close();
  }
}

/** Opens runs, or one dataset of `servelens read dataset`. */
async function open(
  runs: readonly string[],
  sql: string | undefined,
  options: OpenOptions,
): Promise<Database> {
  const dataset = await findDataset(runs);
  if (dataset === undefined) return await openDatabase(runs, options);
  if (runs.length > 1)
    throw new UsageError(
      `${JSON.stringify(dataset)} is a dataset, which can only be queried alone; query the other runs separately`,
    );
  const { openDataset } = await import('../dataset/openDataset.ts');
  return await openDataset(dataset, sql);
}

async function findDataset(runs: readonly string[]): Promise<string | undefined> {
  for (const run of runs) if (await isDatasetFolder(run)) return run;
  return undefined;
}

/**
 * Splits the arguments into runs and SQL. The last argument is SQL if it contains whitespace and no such file
 * exists.
 */
async function splitArguments(
  args: readonly string[],
  file: string | undefined,
): Promise<{ runs: readonly string[]; sql?: string }> {
  if (file !== undefined) return { runs: args, sql: await readSql(file) };
  const lastArg = args.at(-1);
  if (lastArg === undefined || !/\s/.test(lastArg.trim()) || (await exists(lastArg))) return { runs: args };
  return { runs: args.slice(0, -1), sql: lastArg };
}

async function readSql(file: string): Promise<string> {
  try {
    return await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read --file ${JSON.stringify(file)}: ${describeSystemError(error)}`);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function readFormat(raw: RawOptions): Format | undefined {
  return raw.json === true ? 'json' : (raw.format as Format | undefined);
}

function inferFormat(output: string | undefined): Format {
  const extension = extname(output ?? '').slice(1);
  return FORMATS.find(format => format === extension) ?? (output === undefined ? 'table' : 'csv');
}

async function printResults(database: Database, sql: string, format: TextFormat, io: Io): Promise<void> {
  const { runStatements } = await import('./runStatements.ts');
  const target = { stream: io.stdout, width: io.stdout.isTTY ? getTerminalWidth(io.stdout) : Infinity };
  for await (const result of runStatements(database, sql))
    if (!(await printResult(result, format, target))) return;
}

/** Writes the results to a file. If a statement fails, an existing file is unchanged. */
async function writeResults(database: Database, sql: string, format: Format, output: string): Promise<void> {
  await database.guard.checkOutput(output);
  if (format === 'parquet') return writeParquet(database, sql, output);
  const written = await writeFileAtomic(output, generateResults(database, sql, format));
  if (!written.ok)
    throw new UsageError(
      `cannot write --output ${JSON.stringify(output)}: ${describeSystemError(written.cause as Error)}`,
    );
}

async function* generateResults(database: Database, sql: string, format: TextFormat): AsyncGenerator<string> {
  const { runStatements } = await import('./runStatements.ts');
  for await (const result of runStatements(database, sql)) yield* formatResult(result, format, Infinity);
}

/**
 * Lets DuckDB write the rows to a temporary file, which replaces the output file once it is complete. A device or a pipe
 * is written directly.
 */
async function writeParquet({ connection, guard }: Database, sql: string, output: string): Promise<void> {
  const statement = sql.trim().replace(/;+\s*$/, '');
  const stats = await stat(output).catch(() => undefined);
  const isReplaced = !stats || stats.isFile();
  const temporary = isReplaced ? join(dirname(output), `.${basename(output)}.${process.pid}.tmp`) : output;
  const copy = `COPY (${statement}\n) TO ${quoteLiteral(temporary)} (FORMAT parquet)`;
  await guard.checkStatements(copy);
  try {
    await connection.run(copy);
    if (isReplaced) await rename(temporary, output);
  } catch (error) {
    if (isReplaced) await rm(temporary, { force: true });
    if (!isSystemError(error)) throw error;
    throw new UsageError(`cannot write --output ${JSON.stringify(output)}: ${describeSystemError(error)}`);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
