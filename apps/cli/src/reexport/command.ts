import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import type { RunRecord } from '@org/record';
import {
  type CsvLayout,
  DEFAULT_FORMATS,
  datasetPath,
  type ExportFormat,
  exportPath,
  FORMATS,
  type JsonLayout,
} from '@org/record';
import {
  findRunFiles,
  MISSING_DATA,
  type OpenedRecord,
  openRunRecord,
  type RunFiles,
  SOURCES,
  type SourceKind,
} from '@org/record/open';
import { makeFolder, openRunMemory, type RunMemory } from '@org/run';
import { type ExportOptions, exportRun } from '@org/run/export';
import { UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import { FORMATS_OPTION } from '../export/exportoptions.ts';
import { layoutOptionsIn, layoutsOf } from '../export/layouts.ts';
import type { Io } from '../io.ts';
import { createLog, type Log } from '../log.ts';
import { MEMORY_OPTION, memoryLimit } from '../memory.ts';
import { type RawOptions, secondsValue, singleValue, textValue } from '../optionvalue.ts';
import { reportRun } from '../report.ts';
import { windowOf } from './window.ts';

const WHAT = 'What to export:';
const OUT = 'Exports:';

/** Declares the arguments and options of `servelens export` on a yargs command. */
export function declareExport(yargs: Argv): Argv {
  return yargs
    .positional('run', {
      type: 'string',
      demandOption: true,
      describe: 'Folder of a run, or one of its files: journal, Parquet or JSONL',
    })
    .options({
      from: {
        group: WHAT,
        choices: SOURCES,
        describe: 'What to read the samples from [default: the first of them that is there]',
        requiresArg: true,
      },
      prefix: {
        group: WHAT,
        string: true,
        describe: 'The run whose files begin with this, where a folder has several',
        requiresArg: true,
      },
      start: { group: WHAT, describe: 'Start of the window [default: of profiling]', requiresArg: true },
      end: { group: WHAT, describe: 'End of the window [default: of profiling]', requiresArg: true },
      window: {
        group: WHAT,
        string: true,
        describe: 'Both as START..END; or run (all of it), warmup, profiling',
        requiresArg: true,
      },
      formats: {
        group: OUT,
        alias: 'server-metrics-formats',
        ...FORMATS_OPTION,
        describe: 'Formats to write [default: those of the run]',
      },
      ...layoutOptionsIn(OUT),
      'slice-duration': {
        group: OUT,
        describe: 'Seconds of a timeslice, or none [default: that of the run]',
        requiresArg: true,
      },
      'percentile-method': {
        group: OUT,
        choices: Object.keys(PERCENTILE_METHODS),
        describe: 'How percentiles are estimated [default: that of the run]',
        requiresArg: true,
      },
      output: {
        group: OUT,
        alias: 'o',
        string: true,
        describe: "Folder to write to [default: the run's own, where nothing is overwritten]",
        requiresArg: true,
      },
      'memory-limit': { group: OUT, ...MEMORY_OPTION },
    })
    .example('$0 export artifacts/run1 --slice-duration 5 -o run1-sliced', 'with timeslices')
    .example('$0 export artifacts/run1 --start 30 --end 90 -o steady', 'the seconds 30 to 90 of profiling')
    .example('$0 export artifacts/run1 --formats csv --csv-layout aiperf -o aiperf', 'for AIPerf tools')
    .epilogue(sources());
}

function sources(): string {
  return [
    'Sources, and what they lack:',
    ...SOURCES.map(kind => `  ${kind.padEnd(8)} ${MISSING_DATA[kind]}`),
    '',
    `A moment is seconds after the start of profiling (10, -2.5), a time (2026-11-21T08:15:30Z) or ns since 1970.`,
  ].join('\n');
}

/** `servelens export`: writes the exports of a run again, otherwise. Returns the exit code. */
export async function exportAgain(raw: RawOptions, io: Io): Promise<number> {
  const log = createLog(io, false);
  const files = await findRunFiles(resolve(io.cwd, String(raw.run)), textValue(raw, 'prefix', 'a prefix'));
  const output = textValue(raw, 'output', 'a folder');
  const folder = output === undefined ? files.folder : resolve(io.cwd, output);
  const limit = memoryLimit(raw);
  const wanted = formatsOf(raw);
  const sliceSeconds = sliceOf(raw);
  await makeFolder(folder);
  const memory = openRunMemory(folder, limit, { onStateChange: ({ message }) => log.warning(message) });
  try {
    const run = await openRunRecord(files, singleValue(raw, 'from') as SourceKind | undefined, memory.memory);
    const options = optionsFor(raw, run, { files, folder, wanted, sliceSeconds });
    if (folder === files.folder) checkFree(options);
    return await write(windowed(run, raw), run, options, { io, log, memory });
  } finally {
    memory.close();
  }
}

interface Wanted {
  readonly files: RunFiles;
  readonly folder: string;
  readonly wanted: readonly ExportFormat[] | undefined;
  /** 0 for none, undefined for that of the run. */
  readonly sliceSeconds: number | undefined;
}

/** What is not asked for is as in the run. */
function optionsFor(raw: RawOptions, { record, from }: OpenedRecord, wanted: Wanted): ExportOptions {
  const { inputConfig } = record;
  const seconds = wanted.sliceSeconds ?? (inputConfig.slice_duration as number | undefined) ?? 0;
  const before = {
    jsonLayout: inputConfig.json_layout as JsonLayout,
    csvLayout: inputConfig.csv_layout as CsvLayout,
  };
  const formats =
    wanted.wanted ?? formatsOfRun(inputConfig).filter(one => from !== 'parquet' || one !== 'jsonl');
  if (from === 'parquet' && formats.includes('jsonl')) {
    throw new UsageError(
      'cannot make a JSONL export of a Parquet export: it has differences, and no raw values',
    );
  }
  const method = singleValue(raw, 'percentile-method') ?? inputConfig.percentile_method;
  return {
    folder: wanted.folder,
    formats,
    percentileMethod: knownMethod(method),
    parquetPartition: raw['parquet-partition'] === true,
    batchSize: 100,
    ...layoutsOf(raw, before),
    ...(wanted.files.prefix === undefined ? {} : { prefix: wanted.files.prefix }),
    ...(seconds > 0 ? { sliceSeconds: seconds } : {}),
  };
}

function formatsOfRun({
  server_metrics_formats: formats,
}: RunRecord['inputConfig']): readonly ExportFormat[] {
  const known = Array.isArray(formats) ? FORMATS.filter(one => formats.includes(one)) : [];
  return known.length > 0 ? known : DEFAULT_FORMATS;
}

/** A run of another program, or of a newer version, may have been exported by a method that we do not have. */
function knownMethod(method: unknown): PercentileMethod {
  return typeof method === 'string' && Object.hasOwn(PERCENTILE_METHODS, method)
    ? (method as PercentileMethod)
    : 'polynomial';
}

function formatsOf({ formats }: RawOptions): readonly ExportFormat[] | undefined {
  return formats === undefined ? undefined : FORMATS.filter(one => (formats as string[]).includes(one));
}

function sliceOf(raw: RawOptions): number | undefined {
  return raw['slice-duration'] === 'none' ? 0 : secondsValue(raw, 'slice-duration', 0.001);
}

/** The run with the window that was asked for in place of its profiling period. */
function windowed({ record, from }: OpenedRecord, raw: RawOptions): RunRecord {
  const period = windowOf(raw, record);
  if (!period) return record;
  const isSame = period.startNs === record.period.startNs && period.endNs === record.period.endNs;
  if (isSame) return record;
  if (from === 'parquet' && (period.startNs < record.period.startNs || period.endNs > record.period.endNs)) {
    throw new UsageError(
      'the window reaches beyond the profiling period, and a Parquet export has nothing else; a journal or JSONL has',
    );
  }
  return { ...record, period, runPeriod: record.period };
}

/** The run's own files stay: they may be what this export is made from. */
function checkFree({ folder, prefix, formats, parquetPartition }: ExportOptions): void {
  const paths = formats.map(format => exportPath(folder, prefix, format));
  if (parquetPartition) paths.push(datasetPath(folder, prefix));
  const taken = paths.find(path => existsSync(path));
  if (taken !== undefined)
    throw new UsageError(`${taken} is there already; name another folder with --output, or other --formats`);
}

interface Surroundings {
  readonly io: Io;
  readonly log: Log;
  readonly memory: RunMemory;
}

async function write(
  record: RunRecord,
  { path, from, warnings }: OpenedRecord,
  options: ExportOptions,
  { io, log }: Surroundings,
): Promise<number> {
  for (const warning of warnings) log.warning(warning);
  log.info(
    `exporting from ${relative(io.cwd, path) || path}${from === 'journal' ? '' : `; it lacks ${MISSING_DATA[from]}`}`,
  );
  const exported = await exportRun(record, options);
  reportRun(record, exported, { out: io.stdout, io, log });
  return exported.results.every(({ failure }) => failure === undefined) ? 0 : 1;
}
