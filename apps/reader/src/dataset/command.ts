import { resolve } from 'node:path';
import { formatBytes, formatCount } from '@org/core/numberFormat';
import { stringifyJson } from '@org/formats/write';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { toPrintable, UsageError } from '@org/terminal';
import { createLog, ProgressLine } from '@org/terminal/live';
import {
  type Command,
  type CommandContext,
  isSet,
  OUTPUT_FLAGS,
  option,
  pickOptions,
  type RawOptions,
  readList,
  readText,
} from '@org/terminal/program';
import { type DatasetRun, writeDataset } from './writeDataset.ts';

/** The command `servelens read dataset`. */
export const datasetCommand: Command = {
  arguments: [
    {
      name: 'runs',
      placeholder: 'RUN',
      description: 'Folders of runs, sweeps or repeated runs, or their Parquet files',
      isList: true,
    },
  ],
  optionGroups: [
    { title: 'Input', options: SERVERS_OPTION },
    {
      title: 'Output',
      options: {
        output: option(
          'DIR',
          'Folder of the dataset; replaces its runs of the same names, keeps the others',
          {
            aliases: ['o'],
            defaultText: 'required',
          },
        ),
        ...pickOptions(OUTPUT_FLAGS, ['json']),
      },
    },
  ],
  examples: [
    {
      command: 'servelens read dataset runs/* --output dataset',
      description: 'Write all runs into one dataset, for DuckDB, Spark and other engines',
    },
    {
      command: 'servelens read dataset runs/today --output dataset',
      description: 'Add a run to it, or replace it',
    },
  ],
  notes: [
    'The dataset contains a folder for each table (samples, histograms, buckets, statistics, derived, requests, gpu_samples, runs), with one file for each run: TABLE/run=NAME/part-0.parquet.',
    'To query it: servelens read query DIR SQL',
  ],
  exitCodes: [
    ['0', 'success'],
    ['1', 'a run could not be read or written; the others are in the dataset'],
    ['2', 'the folder contains other files, two runs have the same name, or the arguments are invalid'],
  ],
  run,
};

async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  const output = readText(raw, 'output', 'a folder');
  if (output === undefined) throw new UsageError('missing --output; set the folder of the dataset');
  const servers = await readServersOption(raw, io);
  const progress = new ProgressLine();
  const log = createLog(io, isSet(raw, 'quiet'), () => progress.clear());
  const runs = readList(raw, 'runs');
  let state = `0 of ${formatCount(runs.length, 'argument')} written`;
  progress.start(() => [state], io, log, io.stderr.isTTY === true && !isSet(raw, 'quiet'));
  const results = await writeDataset({
    runs,
    folder: resolve(io.cwd, output),
    cwd: io.cwd,
    servers,
    onNote: note => log.warning(note),
    onProgress: (completed, total) => {
      state = `${completed} of ${formatCount(total, 'argument')} written`;
    },
  }).finally(() => progress.stop());
  const failed = results.filter(({ error }) => error !== undefined);
  for (const { source, error } of failed) log.error(nameSource(source, error!));
  io.stdout.write(
    `${isSet(raw, 'json') ? stringifyJson(toDocument(output, results), 2) : describe(output, results)}\n`,
  );
  return failed.length > 0 ? 1 : 0;
}

/** Puts the path of a run before a message that does not name it. */
function nameSource(source: string, error: string): string {
  return error.includes(source) ? error : `${source}: ${error}`;
}

/** Describes what was written in one line. */
function describe(folder: string, results: readonly DatasetRun[]): string {
  const parts = results.flatMap(run => run.parts);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const runs = results.filter(({ error }) => error === undefined).length;
  return toPrintable(
    `${folder}: ${formatCount(runs, 'run')} in ${formatCount(parts.length, 'file')}, ${formatBytes(bytes)}`,
  );
}

function toDocument(folder: string, results: readonly DatasetRun[]): object {
  return {
    folder,
    runs: results.map(({ run: name, source, parts, error }) => ({
      run: name,
      source,
      files: parts,
      ...(error === undefined ? {} : { error }),
    })),
  };
}
