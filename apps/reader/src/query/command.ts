import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { describeSystemError } from '@org/core/systemError';
import { getTerminalWidth, UsageError } from '@org/terminal';
import {
  type Command,
  type CommandContext,
  type Io,
  option,
  type RawOptions,
  readList,
} from '@org/terminal/program';
import { type Database, openDatabase, toQueryError } from './database.ts';
import { MACROS } from './macros.ts';
import { FORMATS, type Format, type OutputTarget, printResult, type TextFormat } from './output.ts';
import { quoteLiteral } from './views.ts';

/** The command `servelens read query`. */
export const queryCommand: Command = {
  usage: '[options] RUN... [SQL]',
  arguments: [
    {
      name: 'runs',
      placeholder: 'RUN',
      description:
        'Run folders, Parquet files, globs or URLs, followed by the SQL; without SQL, an interactive prompt starts',
      isList: true,
    },
  ],
  optionGroups: [
    {
      title: 'Input',
      options: {
        file: option('FILE', 'File with the SQL; - reads standard input', { aliases: ['f'] }),
      },
    },
    {
      title: 'Output',
      options: {
        format: option('FORMAT', 'Output format', {
          choices: FORMATS,
          defaultText: 'by the extension of --output, otherwise table',
        }),
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
      command: 'servelens read query "runs/*/*.parquet" -f slow.sql --format csv',
      description: 'Run the SQL in a file over several runs, and print CSV',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'a run cannot be read, the SQL is invalid, or the arguments are invalid'],
  ],
  run,
};

/** Runs SQL on the Parquet exports of runs, or starts an interactive prompt. Returns 0. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  const { runs, sql } = await splitArguments(readList(raw, 'runs'), raw.file as string | undefined);
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
    // These modules load DuckDB, so they are imported after `openDatabase` has checked that it is installed.
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
  io: Io,
): Promise<void> {
  const { runStatements } = await import('./runStatements.ts');
  const target = await openTarget(output, io);
  for await (const result of runStatements(connection, sql)) await printResult(result, format, target);
  if (output === undefined) return;
  target.stream.end();
  await finished(target.stream);
}

async function openTarget(output: string | undefined, io: Io): Promise<OutputTarget> {
  if (output === undefined)
    return { stream: io.stdout, width: io.stdout.isTTY ? getTerminalWidth(io.stdout) : Infinity };
  const stream = createWriteStream(output);
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', error =>
      reject(
        new UsageError(`cannot write --output ${JSON.stringify(output)}: ${describeSystemError(error)}`),
      ),
    );
  });
  return { stream, width: Infinity };
}
