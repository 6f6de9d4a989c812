import { dirname } from 'node:path';
import type { PercentileMethod } from '@org/core';
import { writeFileAtomic } from '@org/formats/write';
import type { Compatibility, ExportFormat, JsonLayout, RunRecord, StatisticsWindow } from '@org/record';
import { type RecoveredRun, type RunHeader, readLoad, recoverRun } from '@org/record/journal';
import { addRunServers } from '@org/record/servers';
import type { DefinitionFile } from '@org/servers';
import type { RecoverEventSink } from '../events.ts';
import { type ExportOptions, exportRun } from '../export/exportRun.ts';
import { writePhaseServerMetrics } from '../export/phaseServerMetrics.ts';
import { selectPercentileMethod } from '../export/runOptions.ts';
import { readGpuTelemetry, readRecordedMap } from '../gpu/readGpuTelemetry.ts';
import { type ServedGpus, writeServedGpus } from '../gpu/servedGpus.ts';
import { removeStaleFiles } from '../lifecycle/artifactFolder.ts';
import { isWritten, openRunMemory, type ServerMetrics } from '../lifecycle/runStorage.ts';
import { isListening, removeStaleSockets } from '../marks/staleSockets.ts';
import { findRequestsFile } from '../profile/earlierRequests.ts';
import type { ProfileExports } from '../profile/profileExports.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import type { FormatConsole } from '../profile/profileResult.ts';
import { type PhaseTimes, toRecordedPhases } from '../profile/recordedPhases.ts';
import { removeReadyMarker, writeReadyMarker } from '../profile/resultsReady.ts';
import { listPhases } from '../profile/runPhases.ts';
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
  readonly window?: StatisticsWindow;
  /** Maximum memory for samples, in bytes; 1 GiB by default. */
  readonly memoryLimit?: number;
  /** Definitions of servers in addition to those that the run recorded. */
  readonly servers?: readonly DefinitionFile[];
  readonly onEvent?: RecoverEventSink;
  /** Formats the result of a profile run for a file; see `ProfileOptions`. */
  readonly formatConsole?: FormatConsole;
}

/** The exports of a recovered run. */
export interface RecoveredExports {
  readonly folder: string;
  /** Absent if the run scraped nothing. */
  readonly server?: ServerMetrics;
  /** The client's exports; absent for a collect run. */
  readonly profile?: ProfileExports;
  /** GPU telemetry of a collect run; absent if it recorded none. */
  readonly gpus?: ServedGpus;
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
    const run = await addServers(recoverRun(journal, memory.memory), options.servers, emit);
    const { header, replay } = run;
    if (replay.message !== '') emit({ type: 'journal_damaged', message: replay.message });
    if (replay.missedFrames > 0) emit({ type: 'scrapes_missing', count: replay.missedFrames });
    checkConflict(journal, header);
    const exportOptions: ExportOptions = {
      ...createExportOptions(folder, header.exports, options),
      onProgress: progress => emit({ type: 'export_progressed', progress }),
    };
    const recoveredExports = await writeExports(journal, run, exportOptions, {
      emit,
      ...(options.formatConsole ? { formatConsole: options.formatConsole } : {}),
    });
    removeStaleFiles(folder);
    return recoveredExports;
  } finally {
    memory.close();
  }
}

/** Completes a run with the servers that it recorded and further servers. */
async function addServers(
  run: RecoveredRun,
  servers: readonly DefinitionFile[] | undefined,
  emit: RecoverEventSink,
): Promise<RecoveredRun> {
  const { record, problems } = await addRunServers(run.record, servers);
  for (const message of problems) emit({ type: 'server_definition_ignored', message });
  return { ...run, record };
}

function createExportOptions(
  folder: string,
  exports: RunHeader['exports'],
  options: RecoverOptions,
): ExportOptions {
  const sliceSeconds = options.sliceSeconds ?? exports.sliceSeconds;
  const window = options.window ?? exports.window;
  const jsonLayout = options.jsonLayout ?? exports.jsonLayout;
  const compatibility = options.compatibility ?? exports.compatibility ?? 'servelens';
  return {
    folder,
    formats: options.formats ?? exports.formats,
    percentileMethod:
      options.percentileMethod ??
      selectPercentileMethod(
        {
          compatibility: exports.compatibility ?? 'servelens',
          percentileMethod: exports.percentileMethod as PercentileMethod,
        },
        compatibility,
      ),
    compatibility,
    ...(jsonLayout === undefined ? {} : { jsonLayout }),
    parquetPartition: options.parquetPartition ?? exports.parquetPartition ?? false,
    ...(exports.prefix === undefined ? {} : { prefix: exports.prefix }),
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    ...(window === undefined ? {} : { window }),
  };
}

/** Writes the server metrics first, because the client's exports are reconciled with them. */
async function writeExports(
  journal: string,
  run: RecoveredRun,
  options: ExportOptions,
  { emit, formatConsole }: { readonly emit: RecoverEventSink } & Pick<RecoverOptions, 'formatConsole'>,
): Promise<RecoveredExports> {
  const { profile: header } = run.header;
  const requests = header && findRequestsFile(journal, options.prefix);
  const record = toCompletedRecord(run);
  const phases = listRecoveredPhases(run);
  const server = header?.hasServers === false ? undefined : await writeServerMetrics(record, phases, options);
  const profile =
    header &&
    (await rebuildProfile(run, header, { requests: requests!, exports: options, server, phases, emit }));
  const recovered = { folder: options.folder, ...(server ? { server } : {}) };
  if (profile) return addFurtherFiles({ ...recovered, profile }, options, formatConsole);
  const gpus = server && (await recoverGpus(run, server, options));
  return {
    ...recovered,
    ...(gpus ? { gpus } : {}),
    isWritten: isWritten({ server, files: gpus ? [gpus.file] : [] }),
  };
}

/** Writes the GPU telemetry of a collect run from its samples; undefined if it recorded none. */
async function recoverGpus(
  { header }: RecoveredRun,
  server: ServerMetrics,
  { folder, prefix }: ExportOptions,
): Promise<ServedGpus | undefined> {
  const path = getProfilePaths(folder, prefix).gpuTelemetry;
  const map = readRecordedMap({ ...header.inputConfig, ...header.servelensConfig });
  const recording = await readGpuTelemetry(path, header.startNs, map);
  return (
    recording && writeServedGpus(recording, server, { folder, ...(prefix === undefined ? {} : { prefix }) })
  );
}

/** Writes the client's files that repeat or describe the exports. */
async function addFurtherFiles(
  { profile, ...recovered }: Omit<RecoveredExports, 'isWritten'> & { readonly profile: ProfileExports },
  { folder, prefix }: ExportOptions,
  formatConsole: FormatConsole | undefined,
): Promise<RecoveredExports> {
  const { server } = recovered;
  const result = { ...profile, ...(server ? { server } : {}) };
  const paths = getProfilePaths(folder, prefix);
  await removeReadyMarker(paths.ready);
  const text = formatConsole?.(result);
  const furtherFiles = [
    ...profile.furtherFiles,
    ...(text === undefined ? [] : [await writeFileAtomic(paths.console, text)]),
  ];
  const wasCancelled = profile.document.was_cancelled === true;
  const marker = await writeReadyMarker(paths.ready, wasCancelled, { ...result, furtherFiles });
  const completeProfile = { ...profile, furtherFiles: [...furtherFiles, marker] };
  return {
    ...recovered,
    profile: completeProfile,
    isWritten: isWritten({ server, ...completeProfile }),
  };
}

async function writeServerMetrics(
  record: RunRecord,
  phases: readonly PhaseTimes[],
  options: ExportOptions,
): Promise<ServerMetrics> {
  const exports = await exportRun(record, options);
  const phaseFiles = await writePhaseServerMetrics(record, toRecordedPhases(phases, record), options);
  return { record, exports, phaseFiles };
}

/**
 * Lists the phases of a run with a warm-up. If the run was killed during profiling, its warm-up lasts from the start of
 * the run to the start of profiling.
 */
function listRecoveredPhases({ header: { profile }, record, replay }: RecoveredRun): PhaseTimes[] {
  const { start, end } = readLoad(replay.marks);
  if (end) return listPhases(end.summary);
  if (!start || !profile?.hasWarmup) return [];
  const { startNs } = record.period;
  return [
    { phase: 'warmup', startNs: profile.startNs, endNs: startNs },
    { phase: 'profiling', startNs, endNs: null },
  ];
}

/**
 * Returns the record of a run. If the run was killed after its load ended, it counts as cancelled only if the
 * load was cancelled.
 */
function toCompletedRecord({ record, replay }: RecoveredRun): RunRecord {
  const { end } = readLoad(replay.marks);
  return end ? { ...record, cancelled: end.summary.wasCancelled } : record;
}
