import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import {
  type CsvLayout,
  DEFAULT_FORMATS,
  type ExportFormat,
  FORMATS,
  getDatasetPath,
  getExportPath,
  type JsonLayout,
  type RunRecord,
} from '@org/record';
import {
  findRunFiles,
  MISSING_DATA,
  type OpenedRecord,
  openRunRecord,
  type RunFiles,
  type SourceKind,
} from '@org/record/open';
import { makeFolder, openRunMemory } from '@org/run';
import { type ExportOptions, exportRun } from '@org/run/export';
import { UsageError } from '@org/terminal';
import { type Io, type RawOptions, readText } from '@org/terminal/program';
import { createLog, type Log } from '../log/log.ts';
import {
  readArtifactDir,
  readFormats,
  readLayouts,
  readMemoryLimit,
  readPercentileMethod,
  readSliceSeconds,
} from '../options/output.ts';
import { printRun } from '../screens/runSummary.ts';
import { readWindow } from './window.ts';

/** Number of JSONL lines per write. */
const BATCH_SIZE = 100;

/** Exports a run again and prints its summary. Returns the exit code. Throws `UsageError`. */
export async function reexport(raw: RawOptions, io: Io): Promise<number> {
  const log = createLog(io, false);
  const files = await findRunFiles(resolve(io.cwd, String(raw.run)), readText(raw, 'prefix', 'a prefix'));
  const output = readArtifactDir(raw, 'output');
  const folder = output === undefined ? files.folder : resolve(io.cwd, output);
  const overrides = readOverrides(raw);
  const memoryLimit = readMemoryLimit(raw);
  await makeFolder(folder);
  const memory = openRunMemory(folder, memoryLimit, { onStateChange: ({ message }) => log.warning(message) });
  try {
    const run = await openRunRecord(files, raw.from as SourceKind | undefined, memory.memory);
    const options = resolveOptions(run, files, folder, overrides);
    if (folder === files.folder) rejectExisting(options);
    return await writeExports(selectWindow(run, raw), run, options, io, log);
  } finally {
    memory.close();
  }
}

/** Options that override the values of the run. */
interface Overrides {
  readonly raw: RawOptions;
  readonly formats: readonly ExportFormat[] | undefined;
  /** 0 for no timeslices, undefined for the duration in the run. */
  readonly sliceSeconds: number | undefined;
  readonly percentileMethod: PercentileMethod | undefined;
}

/** Reads the options before the run is opened, so that invalid values are reported immediately. */
function readOverrides(raw: RawOptions): Overrides {
  return {
    raw,
    formats: readFormats(raw, 'formats'),
    sliceSeconds: raw['slice-duration'] === 'none' ? 0 : readSliceSeconds(raw),
    percentileMethod: readPercentileMethod(raw),
  };
}

/** Returns the options of an export. Options that are not set default to the values of the run. */
function resolveOptions(
  { record, from }: OpenedRecord,
  files: RunFiles,
  folder: string,
  { raw, formats, sliceSeconds, percentileMethod }: Overrides,
): ExportOptions {
  const { inputConfig } = record;
  const seconds = sliceSeconds ?? (inputConfig.slice_duration as number | undefined) ?? 0;
  return {
    folder,
    formats: selectFormats(formats, record, from),
    percentileMethod: percentileMethod ?? toPercentileMethod(inputConfig.percentile_method),
    parquetPartition: raw['parquet-partition'] === true,
    batchSize: BATCH_SIZE,
    ...readLayouts(raw, {
      jsonLayout: inputConfig.json_layout as JsonLayout,
      csvLayout: inputConfig.csv_layout as CsvLayout,
    }),
    ...(files.prefix === undefined ? {} : { prefix: files.prefix }),
    ...(seconds > 0 ? { sliceSeconds: seconds } : {}),
  };
}

/** Selects the formats to write. A Parquet export has no raw values of cumulative series, so JSONL requires another source. */
function selectFormats(
  formats: readonly ExportFormat[] | undefined,
  { inputConfig: { server_metrics_formats: runFormats } }: RunRecord,
  from: SourceKind,
): readonly ExportFormat[] {
  if (formats) {
    if (from === 'parquet' && formats.includes('jsonl'))
      throw new UsageError(
        'cannot write JSONL from a Parquet export, which contains differences instead of raw values',
      );
    return FORMATS.filter(format => formats.includes(format));
  }
  const known = Array.isArray(runFormats) ? FORMATS.filter(format => runFormats.includes(format)) : [];
  return (known.length > 0 ? known : DEFAULT_FORMATS).filter(
    format => from !== 'parquet' || format !== 'jsonl',
  );
}

/** Returns the percentile method of a run. Other programs and newer versions may record unknown methods. */
function toPercentileMethod(method: unknown): PercentileMethod {
  return typeof method === 'string' && Object.hasOwn(PERCENTILE_METHODS, method)
    ? (method as PercentileMethod)
    : 'polynomial';
}

/** Returns a run with the requested time range instead of its profiling period. */
function selectWindow({ record, from }: OpenedRecord, raw: RawOptions): RunRecord {
  const period = readWindow(raw, record);
  if (!period) return record;
  const { startNs, endNs } = record.period;
  if (period.startNs === startNs && period.endNs === endNs) return record;
  if (from === 'parquet' && (period.startNs < startNs || period.endNs > endNs))
    throw new UsageError(
      'the time range exceeds the profiling period, and a Parquet export contains only that period; use --from journal or --from jsonl',
    );
  return { ...record, period, runPeriod: record.period };
}

/** Throws `UsageError` if an export of the run would be overwritten, because it may be the source of the samples. */
function rejectExisting({ folder, prefix, formats, parquetPartition }: ExportOptions): void {
  const paths = formats.map(format => getExportPath(folder, prefix, format));
  if (parquetPartition) paths.push(getDatasetPath(folder, prefix));
  const existing = paths.find(path => existsSync(path));
  if (existing !== undefined)
    throw new UsageError(`${existing} exists; choose another folder with --output, or other --formats`);
}

async function writeExports(
  record: RunRecord,
  { path, from, warnings }: OpenedRecord,
  options: ExportOptions,
  io: Io,
  log: Log,
): Promise<number> {
  for (const warning of warnings) log.warning(warning);
  const missing = from === 'journal' ? '' : `; missing in this source: ${MISSING_DATA[from]}`;
  log.info(`exporting from ${relative(io.cwd, path) || path}${missing}`);
  const exported = await exportRun(record, options);
  printRun(record, exported, { out: io.stdout, io, log });
  return exported.results.every(({ failure }) => failure === undefined) ? 0 : 1;
}
