import { existsSync } from 'node:fs';
import type { PercentileMethod, StoreMemory } from '@org/core';
import {
  type Compatibility,
  type ExportFormat,
  FORMATS,
  getDatasetPath,
  getDefaultFormats,
  getExportPath,
  type JsonLayout,
  RunInputError,
  type RunRecord,
} from '@org/record';
import {
  findSampleFiles,
  type OpenedRecord,
  openRunRecord,
  type SampleFiles,
  type SourceKind,
} from '@org/record/open';
import { addRunServers } from '@org/record/servers';
import { formatUtc, hasAiperfScrape } from '@org/record/view';
import type { DefinitionFile } from '@org/servers';
import { makeFolder } from '../lifecycle/artifactFolder.ts';
import { isWritten, openRunMemory, type ServerMetrics } from '../lifecycle/runStorage.ts';
import type { ExportProgress } from './exportProgress.ts';
import { type ExportOptions, exportRun } from './exportRun.ts';
import { type RunOptions, readRunOptions, selectPercentileMethod } from './runOptions.ts';
import { resolveTimeRange, type TimeRange } from './timeRange.ts';

/** Source, time range and formats of a re-export. Fields that are not set default to the values of the run. */
export interface ReexportPlan {
  /** Folder of the run, or its journal, Parquet or JSONL file. */
  readonly run: string;
  /** Prefix of the files of the run, if the folder contains several runs. */
  readonly prefix?: string;
  /** Kind of file to read samples from; the most complete one by default. */
  readonly source?: SourceKind;
  /** Folder to write exports to; the folder of the run by default. */
  readonly folder?: string;
  /** Time range to export; the profiling period by default. */
  readonly timeRange?: TimeRange;
  readonly formats?: readonly ExportFormat[];
  readonly compatibility?: Compatibility;
  readonly jsonLayout?: JsonLayout;
  /** True to also write the Parquet rows as a partitioned dataset. */
  readonly parquetPartition?: boolean;
  readonly percentileMethod?: PercentileMethod;
  /** Duration of a timeslice in seconds; 0 for no timeslices. */
  readonly sliceSeconds?: number;
  /** Maximum memory for samples, in bytes; 1 GiB by default. */
  readonly memoryLimit?: number;
  /** Definitions of servers in addition to those that the run recorded. */
  readonly servers?: readonly DefinitionFile[];
}

/** Callbacks of a re-export. */
export interface ReexportEvents {
  /** Called with the opened run before exports are written. */
  readonly onOpen?: (opened: OpenedRecord) => void;
  /** Called if moving samples to disk fails, and when it succeeds again. `message` is a sentence. */
  readonly onStorageChange?: (message: string) => void;
  /** Called several times per second while exports are written. */
  readonly onProgress?: (progress: ExportProgress) => void;
}

/**
 * The exports of a re-export, and the record they were created from. The stores of the record are closed and
 * must not be read.
 */
export interface ReexportResult extends ServerMetrics {
  /** True if all exports are written. */
  readonly isWritten: boolean;
}

/** Thrown if a re-export would overwrite an export of the run. */
export class ExistingExportError extends RunInputError {
  constructor(path: string) {
    super(`${path} already exists`);
  }
}

/**
 * Re-exports a run. Its existing exports are never overwritten.
 *
 * Throws `RunInputError` if the run cannot be used, and its subclasses `PlanError` if a time is invalid and
 * `ExistingExportError` if an export of the run would be overwritten.
 */
export async function reexport(
  plan: ReexportPlan,
  { onOpen = () => {}, onStorageChange = () => {}, onProgress = () => {} }: ReexportEvents = {},
): Promise<ReexportResult> {
  const files = await findSampleFiles(plan.run, plan.prefix);
  const folder = plan.folder ?? files.folder;
  await makeFolder(folder);
  const memory = openRunMemory(folder, plan.memoryLimit ?? 2 ** 30, {
    onStateChange: ({ message }) => onStorageChange(message),
  });
  try {
    const opened = await openWithServers(files, plan, memory.memory);
    const options = createExportOptions(opened, files, folder, plan);
    if (folder === files.folder) rejectExisting(options);
    const record = selectTimeRange(opened, plan.timeRange ?? {});
    rejectEmptyPeriod(record);
    if (options.window === 'aiperf') rejectEmptyAiperfWindow(record);
    onOpen(opened);
    const server = { record, exports: await exportRun(record, { ...options, onProgress }) };
    return { ...server, isWritten: isWritten({ server }) };
  } finally {
    memory.close();
  }
}

/** Opens a run with the servers that it recorded and those of the plan. */
async function openWithServers(
  files: SampleFiles,
  { source, servers }: ReexportPlan,
  memory: StoreMemory,
): Promise<OpenedRecord> {
  const opened = await openRunRecord(files, source, memory);
  const { record, problems } = await addRunServers(opened.record, servers);
  return { ...opened, record, warnings: [...opened.warnings, ...problems] };
}

function createExportOptions(
  { record, from }: OpenedRecord,
  { prefix }: SampleFiles,
  folder: string,
  { formats, parquetPartition = false, percentileMethod, sliceSeconds, ...plan }: ReexportPlan,
): ExportOptions {
  const run = readRunOptions(record);
  const compatibility = plan.compatibility ?? run.compatibility;
  const jsonLayout = plan.jsonLayout ?? run.jsonLayout;
  const seconds = sliceSeconds ?? run.sliceSeconds ?? 0;
  return {
    folder,
    formats: selectFormats(formats, listDefaultFormats(run, compatibility), from),
    compatibility,
    percentileMethod: percentileMethod ?? selectPercentileMethod(run, compatibility),
    parquetPartition,
    ...(jsonLayout === undefined ? {} : { jsonLayout }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(seconds > 0 ? { sliceSeconds: seconds } : {}),
    ...(plan.timeRange?.window === 'aiperf' ? { window: 'aiperf' } : {}),
  };
}

/** Returns the formats of the run; the default formats if they are unknown, or if the run wrote files of another program. */
function listDefaultFormats(run: RunOptions, compatibility: Compatibility): readonly ExportFormat[] {
  const isKnown = run.compatibility === compatibility && run.formats.length > 0;
  return isKnown ? run.formats : getDefaultFormats(compatibility);
}

/**
 * Selects the formats to write. A Parquet export has no raw values of cumulative series, so JSONL requires
 * another source.
 */
function selectFormats(
  formats: readonly ExportFormat[] | undefined,
  defaults: readonly ExportFormat[],
  from: SourceKind,
): readonly ExportFormat[] {
  if (!formats) return defaults.filter(format => from !== 'parquet' || format !== 'jsonl');
  if (from === 'parquet' && formats.includes('jsonl'))
    throw new RunInputError(
      'cannot write JSONL from a Parquet export, which contains differences instead of raw values',
    );
  return FORMATS.filter(format => formats.includes(format));
}

/** Returns a record whose period is the time range. */
function selectTimeRange({ record, from }: OpenedRecord, range: TimeRange): RunRecord {
  const period = resolveTimeRange(range, record);
  if (!period) return record;
  const { startNs, endNs } = record.period;
  if (period.startNs === startNs && period.endNs === endNs) return record;
  if (from === 'parquet' && (period.startNs < startNs || period.endNs > endNs))
    throw new RunInputError(
      'the time range exceeds the profiling period, and a Parquet export contains only that period; read the journal or the JSONL export instead',
    );
  return { ...record, period, runPeriod: record.period };
}

/** Throws `RunInputError` if all samples are before or after the period: the statistics would be those of no time at all. */
function rejectEmptyPeriod({ endpoints, period: { startNs, endNs } }: RunRecord): void {
  const ranges = endpoints.flatMap(({ store }) => {
    const { originNs, offsetsNs } = store.timeline();
    if (offsetsNs.length === 0) return [];
    return [{ firstNs: originNs + BigInt(offsetsNs[0]!), lastNs: originNs + BigInt(offsetsNs.at(-1)!) }];
  });
  if (ranges.length === 0) throw new RunInputError('the run contains no samples');
  if (ranges.some(({ firstNs, lastNs }) => firstNs <= endNs && lastNs >= startNs)) return;
  const [first, last] = [ranges[0]!.firstNs, ranges[0]!.lastNs];
  throw new RunInputError(
    `the period from ${formatUtc(startNs)} to ${formatUtc(endNs)} contains no samples; the samples of the first endpoint are from ${formatUtc(first)} to ${formatUtc(last)}`,
  );
}

/** Throws `RunInputError` if no scrape belongs to AIPerf's window. */
function rejectEmptyAiperfWindow({ endpoints, period }: RunRecord): void {
  if (endpoints.some(endpoint => hasAiperfScrape(endpoint, period))) return;
  throw new RunInputError(
    "AIPerf's window contains no samples: no scrape was sent after the start of profiling, or tagged as profiling",
  );
}

/**
 * Throws `ExistingExportError` if an export of the run would be overwritten, because it may be the source of
 * the samples.
 */
function rejectExisting({ folder, prefix, formats, parquetPartition }: ExportOptions): void {
  const paths = formats.map(format => getExportPath(folder, prefix, format));
  if (parquetPartition) paths.push(getDatasetPath(folder, prefix));
  const existingPath = paths.find(path => existsSync(path));
  if (existingPath !== undefined) throw new ExistingExportError(existingPath);
}
