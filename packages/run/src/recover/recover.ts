import { dirname } from 'node:path';
import type { PercentileMethod } from '@org/core';
import type { Compatibility, ExportFormat, JsonLayout, RunRecord } from '@org/record';
import { type RecoveredRun, type RunHeader, readLoad, recoverRun } from '@org/record/journal';
import type { RecoverEventSink } from '../events.ts';
import { type ExportOptions, exportRun } from '../export/exportRun.ts';
import { removeStaleFiles } from '../lifecycle/artifactFolder.ts';
import { isWritten, openRunMemory, type ServerMetrics } from '../lifecycle/runStorage.ts';
import { isListening, removeStaleSockets } from '../marks/staleSockets.ts';
import { findRequestsFile } from '../profile/earlierRequests.ts';
import type { ProfileExports } from '../profile/profileExports.ts';
import { checkConflict } from './exportConflict.ts';
import { rebuildProfile } from './rebuildProfile.ts';

/** Options of a recovery. Options that are not set default to the values of the run. */
export interface RecoverOptions {
  readonly formats?: readonly ExportFormat[];
  readonly compatibility?: Compatibility;
  readonly jsonLayout?: JsonLayout;
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
  readonly profile?: ProfileExports;
  /** True if all exports are written. */
  readonly isWritten: boolean;
}

/**
 * Writes the exports of a run from its journal, into the folder of the journal. The journal is kept.
 *
 * Throws `RunInputError` if the journal cannot be used, and `ExportConflictError` if exports of another run
 * would be overwritten.
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
    const exportOptions: ExportOptions = {
      ...createExportOptions(folder, header.exports, options),
      onProgress: progress => emit({ type: 'export_progressed', progress }),
    };
    const recoveredExports = await writeExports(journal, run, exportOptions, emit);
    removeStaleFiles(folder);
    return recoveredExports;
  } finally {
    memory.close();
  }
}

function createExportOptions(
  folder: string,
  exports: RunHeader['exports'],
  options: RecoverOptions,
): ExportOptions {
  const sliceSeconds = options.sliceSeconds ?? exports.sliceSeconds;
  const jsonLayout = options.jsonLayout ?? exports.jsonLayout;
  const compatibility = options.compatibility ?? exports.compatibility ?? 'servelens';
  return {
    folder,
    formats: options.formats ?? exports.formats,
    percentileMethod: (options.percentileMethod ?? exports.percentileMethod) as PercentileMethod,
    compatibility,
    ...(jsonLayout === undefined ? {} : { jsonLayout }),
    parquetPartition: options.parquetPartition ?? exports.parquetPartition ?? false,
    ...(exports.prefix === undefined ? {} : { prefix: exports.prefix }),
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    ...(exports.window === undefined ? {} : { window: exports.window }),
  };
}

/** Writes the server metrics first, because the client's exports are reconciled with them. */
async function writeExports(
  journal: string,
  run: RecoveredRun,
  options: ExportOptions,
  emit: RecoverEventSink,
): Promise<RecoveredExports> {
  const { profile: header } = run.header;
  const requests = header && findRequestsFile(journal, options.prefix);
  const record = toCompletedRecord(run);
  const server =
    header?.hasServers === false ? undefined : { record, exports: await exportRun(record, options) };
  const profile =
    header && (await rebuildProfile(run, header, { requests: requests!, exports: options, server, emit }));
  return {
    folder: options.folder,
    ...(server ? { server } : {}),
    ...(profile ? { profile } : {}),
    isWritten: isWritten({ server, ...(profile ? { files: profile.files } : {}) }),
  };
}

/**
 * Returns the record of a run. If the run was killed after its load ended, it counts as cancelled only if the
 * load was cancelled.
 */
function toCompletedRecord({ record, replay }: RecoveredRun): RunRecord {
  const { end } = readLoad(replay.marks);
  return end ? { ...record, cancelled: end.summary.wasCancelled } : record;
}
