import { dirname } from 'node:path';
import type { PercentileMethod } from '@org/core';
import { type ExportFormat, getExportPath, type Layouts, RunInputError, type RunRecord } from '@org/record';
import {
  type ProfileHeader,
  type RecoveredRun,
  type RunHeader,
  readLoad,
  recoverRun,
} from '@org/record/journal';
import { readBenchmarkId } from '../export/benchmarkId.ts';
import { type ExportOptions, exportRun } from '../export/exportRun.ts';
import type { ServerMetrics } from '../lifecycle/runLifecycle.ts';
import { openRunMemory } from '../lifecycle/runMemory.ts';
import { removeStaleFiles } from '../lifecycle/staleFiles.ts';
import { isListening, removeStaleSockets } from '../marks/staleSockets.ts';
import { DEFAULT_SETTINGS } from '../plan/settings.ts';
import { findRequests } from '../profile/earlierRequests.ts';
import { isWritten } from '../profile/profileResult.ts';
import type { RecoverEventSink } from './events.ts';
import { type RebuiltProfile, rebuildProfile } from './rebuildProfile.ts';

/** Options of a recovery. Options that are not set have the values that the run had. */
export interface RecoverOptions {
  readonly formats?: readonly ExportFormat[];
  readonly layouts?: Layouts;
  readonly parquetPartition?: boolean;
  readonly percentileMethod?: PercentileMethod;
  readonly sliceSeconds?: number;
  /** Maximum memory for samples, in bytes; 1 GiB by default. */
  readonly memoryLimit?: number;
  readonly onEvent?: RecoverEventSink;
}

/** The exports of a recovered run. */
export interface RecoveredExports {
  readonly folder: string;
  /** Absent if the run scraped nothing. */
  readonly server?: ServerMetrics;
  /** The client's exports; absent for a collect run. */
  readonly profile?: RebuiltProfile;
  /** True if all exports are written. */
  readonly isWritten: boolean;
}

/** The folder contains exports of another run, which would be overwritten. */
export class ExportConflictError extends RunInputError {
  readonly journal: string;

  constructor(path: string, journal: string) {
    super(`${path} belongs to another run than ${journal} and would be overwritten`);
    this.journal = journal;
  }
}

/**
 * Writes the exports of a run from its journal, into the folder of the journal. The journal is kept.
 *
 * Throws `RunInputError` if the journal cannot be used, and `ExportConflictError` if exports of another run would be overwritten.
 */
export async function recover(journal: string, options: RecoverOptions = {}): Promise<RecoveredExports> {
  const { memoryLimit = 2 ** 30, onEvent: emit = () => {} } = options;
  const folder = dirname(journal);
  const memory = openRunMemory(folder, memoryLimit, {
    onStateChange: ({ state, message }) => emit({ type: 'storage_changed', state, message }),
  });
  try {
    if (await isListening(folder)) emit({ type: 'run_active', folder });
    await removeStaleSockets(folder);
    const run = recoverRun(journal, memory.memory);
    const { header, replay } = run;
    if (replay.message !== '') emit({ type: 'journal_damaged', message: replay.message });
    if (replay.missedFrames > 0) emit({ type: 'scrapes_missing', count: replay.missedFrames });
    checkConflict(journal, header);
    const exportOptions = createExportOptions(folder, header.exports, options);
    const recovered = header.profile
      ? await recoverProfile(journal, run, header.profile, exportOptions, emit)
      : await recoverCollect(run, exportOptions);
    removeStaleFiles(folder);
    return recovered;
  } finally {
    memory.close();
  }
}

/** A later run in the same folder has exports with the same names, and no journal. */
function checkConflict(journal: string, { benchmarkId, exports }: RunHeader): void {
  const path = getExportPath(dirname(journal), exports.prefix, 'json');
  const id = readBenchmarkId(path);
  if (id !== undefined && id !== benchmarkId) throw new ExportConflictError(path, journal);
}

function createExportOptions(
  folder: string,
  exports: RunHeader['exports'],
  options: RecoverOptions,
): ExportOptions {
  const sliceSeconds = options.sliceSeconds ?? exports.sliceSeconds;
  const jsonLayout = options.layouts?.jsonLayout ?? exports.jsonLayout;
  const csvLayout = options.layouts?.csvLayout ?? exports.csvLayout;
  return {
    folder,
    formats: options.formats ?? exports.formats,
    percentileMethod: (options.percentileMethod ?? exports.percentileMethod) as PercentileMethod,
    ...(jsonLayout === undefined ? {} : { jsonLayout }),
    ...(csvLayout === undefined ? {} : { csvLayout }),
    batchSize: DEFAULT_SETTINGS.batchSize,
    parquetPartition: options.parquetPartition ?? exports.parquetPartition ?? false,
    ...(exports.prefix === undefined ? {} : { prefix: exports.prefix }),
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
  };
}

async function recoverCollect({ record }: RecoveredRun, options: ExportOptions): Promise<RecoveredExports> {
  const exports = await exportRun(record, options);
  return {
    folder: options.folder,
    server: { record, exports },
    isWritten: isWritten({ files: [], server: { record, exports } }),
  };
}

/** Recovers the server metrics first, because the client's exports are reconciled with them. */
async function recoverProfile(
  journal: string,
  run: RecoveredRun,
  header: ProfileHeader,
  options: ExportOptions,
  emit: RecoverEventSink,
): Promise<RecoveredExports> {
  const { folder, sliceSeconds, csvLayout = 'servelens' } = options;
  const requests = findRequests(journal, options.prefix);
  const record = toCompletedRecord(run);
  const server = header.hasServers ? { record, exports: await exportRun(record, options) } : undefined;
  const profile = await rebuildProfile(run, header, {
    requests,
    folder,
    csvLayout,
    emit,
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    ...(server ? { server } : {}),
  });
  return {
    folder,
    ...(server ? { server } : {}),
    profile,
    isWritten: isWritten({ files: profile.files, ...(server ? { server } : {}) }),
  };
}

/** A run that was killed after the end of its load measured everything, so it does not count as cancelled. */
function toCompletedRecord({ record, replay }: RecoveredRun): RunRecord {
  const { end } = readLoad(replay.marks);
  return end ? { ...record, cancelled: end.summary.wasCancelled } : record;
}
