import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { formatCount, formatShard } from '@org/core';
import type { Issue, MergedShard, RunInfo } from '@org/formats';
import { type WriteResult, writeFileAtomic } from '@org/formats/write';
import {
  type ExportFormat,
  getDefaultFormats,
  getExportPath,
  RunInputError,
  type RunRecord,
} from '@org/record';
import { addRunServers } from '@org/record/servers';
import type { ExportProgress } from '../export/exportProgress.ts';
import { type ExportOptions, exportRun } from '../export/exportRun.ts';
import { writePhaseServerMetrics } from '../export/phaseServerMetrics.ts';
import { readRunOptions } from '../export/runOptions.ts';
import { readGpuTelemetry, readRecordedMap } from '../gpu/readGpuTelemetry.ts';
import { type ServedGpus, writeServedGpus } from '../gpu/servedGpus.ts';
import { makeFolder } from '../lifecycle/artifactFolder.ts';
import { checkFolder } from '../lifecycle/folderUse.ts';
import { isWritten, openRunMemory, type ServerMetrics } from '../lifecycle/runStorage.ts';
import type { ProfileExports } from '../profile/profileExports.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import type { FormatConsole } from '../profile/profileResult.ts';
import { toRecordedPhases } from '../profile/recordedPhases.ts';
import { writeReadyMarker } from '../profile/resultsReady.ts';
import { listPhases } from '../profile/runPhases.ts';
import { rebuildProfile } from '../recover/rebuildProfile.ts';
import { DEFAULT_VERSION } from '../runContext.ts';
import { estimateOffset } from './clockOffsets.ts';
import { findUncovered } from './coverage.ts';
import { joinLines } from './joinedLines.ts';
import {
  createHeader,
  createLoadMarks,
  findMax,
  findMin,
  findTokenSource,
  readGoodput,
} from './mergedLoad.ts';
import { type MergedDescription, mergeRecords } from './mergedRecord.ts';
import { type MergedRequests, mergeRequests, type ProfileShard } from './mergedRequests.ts';
import { uniteConfigs } from './shardOptions.ts';
import { openShard, type ShardRun } from './shardRun.ts';
import { listMissing, orderShards } from './shardSet.ts';

/** The shards to merge, and the folder of the merged run. */
export interface MergePlan {
  /** Folders of the shards, in any order. */
  readonly shards: readonly string[];
  /** Folder of the merged run. It must not contain a run. */
  readonly folder: string;
  /** Prefix of the files of the shards, which the merged run also has. */
  readonly prefix?: string;
  /** True to merge an incomplete run if shards are missing; false by default. */
  readonly allowsMissing?: boolean;
  /** Export formats of server metrics; by default, the formats of the shards. */
  readonly formats?: readonly ExportFormat[];
  /** True to also write the Parquet rows as a partitioned dataset. */
  readonly parquetPartition?: boolean;
  /** Maximum memory for samples, in bytes; 1 GiB by default. */
  readonly memoryLimit?: number;
}

/** Callbacks and properties of a merge. */
export interface MergeOptions {
  /** Version of the program, recorded in the exports. */
  readonly version?: string;
  /** Command line without secrets, recorded in the exports. */
  readonly cliCommand?: string;
  /** Called with each condition that the user should know, as a sentence. */
  readonly onWarning?: (message: string) => void;
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Formats the result of a profile run for a file; see `ProfileOptions`. */
  readonly formatConsole?: FormatConsole;
}

/** The exports of a merged run. */
export interface MergedExports {
  readonly folder: string;
  readonly shards: readonly MergedShard[];
  /** Absent if no shard scraped endpoints. */
  readonly server?: ServerMetrics;
  /** The client's exports; absent for a collect run. */
  readonly profile?: ProfileExports;
  /** GPU telemetry of a collect run; absent if it recorded none. */
  readonly gpus?: ServedGpus;
  /** True if all exports are written. */
  readonly isWritten: boolean;
}

/**
 * Merges the shards of a run into one run in a new folder. The shards are not changed. Metrics and percentiles are computed from
 * the requests of all shards. Throws `RunInputError` if the shards are not the parts of one run, or the folder cannot be used.
 */
export async function mergeShards(plan: MergePlan, options: MergeOptions = {}): Promise<MergedExports> {
  checkTarget(plan);
  const isNew = !existsSync(plan.folder);
  const memory = openRunMemory(await createFolder(plan.folder), plan.memoryLimit ?? 2 ** 30);
  try {
    const opened: ShardRun[] = [];
    for (const folder of plan.shards) opened.push(await openShard(folder, plan.prefix, memory.memory));
    const shards = orderShards(opened, { allowsMissing: plan.allowsMissing ?? false });
    return await new Merge(shards, plan, options).run();
  } finally {
    memory.close();
    if (isNew) await removeIfEmpty(plan.folder);
  }
}

/** Removes the folder that a merge without a result has left empty. Other folders cannot be removed, and stay. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}

/** Throws `RunInputError` if the folder of the merged run contains a run, for example one of the shards. */
function checkTarget({ folder, prefix, shards }: MergePlan): void {
  const { json } = getProfilePaths(folder, prefix);
  const existing = [
    json,
    getExportPath(folder, prefix, 'json'),
    getExportPath(folder, prefix, 'parquet'),
  ].find(path => existsSync(path));
  if (existing !== undefined)
    throw new RunInputError(`${existing} already exists; write the merged run to another folder`);
  const repeated = shards.find(
    (shard, index) => shards.findIndex(other => resolve(other) === resolve(shard)) < index,
  );
  if (repeated !== undefined)
    throw new RunInputError(`the folder ${JSON.stringify(repeated)} is given twice`);
  checkFolder(folder, { prefix, writesServerMetrics: true, writesClientMetrics: true });
}

async function createFolder(folder: string): Promise<string> {
  await makeFolder(folder);
  return folder;
}

/** Merges the shards of one run. */
class Merge {
  readonly #shards: readonly ShardRun[];
  readonly #plan: MergePlan;
  readonly #options: MergeOptions;
  readonly #benchmarkId: string = randomUUID();
  readonly #warn: (message: string) => void;

  constructor(shards: readonly ShardRun[], plan: MergePlan, options: MergeOptions) {
    this.#shards = shards;
    this.#plan = plan;
    this.#options = options;
    this.#warn = options.onWarning ?? (() => {});
  }

  async run(): Promise<MergedExports> {
    for (const { folder, servers } of this.#shards)
      for (const warning of servers?.warnings ?? []) this.#warn(`${folder}: ${warning}`);
    const profiles = this.#shards.filter((shard): shard is ProfileShard => shard.profile !== undefined);
    return profiles.length > 0 ? this.#mergeProfile(profiles) : this.#mergeCollect();
  }

  async #mergeProfile(shards: readonly ProfileShard[]): Promise<MergedExports> {
    const { folder, prefix } = this.#plan;
    const paths = getProfilePaths(folder, prefix);
    const source = findTokenSource(shards);
    const requests = await mergeRequests(
      shards,
      paths.jsonl,
      { usesClientTokens: source === 'client', goodput: readGoodput(shards[0]!) },
      (shard, issue) => this.#warnOfLine(shard, issue),
    );
    const samples = await joinLines(shards, getPath => getPath.gpuTelemetry, paths);
    const raw = await joinLines(shards, getPath => getPath.raw, paths);
    const description = this.#describe(requests);
    const header = createHeader(shards, description, this.#createRunInfo(shards[0]!));
    const record = await this.#createRecord(description);
    const marks = createLoadMarks(shards, description, requests, this.#isCovered(record, requests));
    const options = this.#createExportOptions(record);
    const phases = listPhases((marks.at(-1)!.data as { summary: Parameters<typeof listPhases>[0] }).summary);
    const server = header.hasServers ? await this.#writeServers(record, options, phases) : undefined;
    const profile = await rebuildProfile({ header: description, record, replay: { marks } }, header, {
      requests: paths.jsonl,
      exports: options,
      server,
      phases,
      emit: () => {},
      merged: { shards: description.shards, incompleteReason: this.#findIncompleteReason(requests) },
    });
    const files = [...profile.files, requests.file, ...[samples, raw].flatMap(file => file ?? [])];
    return this.#complete({ ...profile, files }, description, server);
  }

  async #mergeCollect(): Promise<MergedExports> {
    const { folder, prefix } = this.#plan;
    const paths = getProfilePaths(folder, prefix);
    const samples = await joinLines(this.#shards, getPath => getPath.gpuTelemetry, paths);
    const description = this.#describe(undefined);
    const record = await this.#createRecord(description);
    const server = await this.#writeServers(record, this.#createExportOptions(record), []);
    const map = readRecordedMap({ ...description.inputConfig, ...description.servelensConfig });
    const recording = samples && (await readGpuTelemetry(paths.gpuTelemetry, description.startNs, map));
    const target = { folder, ...(prefix === undefined ? {} : { prefix }) };
    const gpus = recording && (await writeServedGpus(recording, server, target));
    const files = [...(samples ? [samples] : []), ...(gpus ? [gpus.file] : [])];
    return {
      folder,
      shards: description.shards,
      server,
      ...(gpus ? { gpus } : {}),
      isWritten: isWritten({ server, files }),
    };
  }

  /** Describes the merged run. `requests` is undefined for a collect run. */
  #describe(requests: MergedRequests | undefined): MergedDescription {
    const { folder } = this.#plan;
    const { cliCommand, version = DEFAULT_VERSION } = this.#options;
    const shards = this.#shards;
    const inputConfig = uniteConfigs(shards, shard => shard.inputConfig);
    const { artifacts } = inputConfig as { readonly artifacts?: object };
    const command = cliCommand === undefined ? {} : { cli_command: cliCommand };
    const isProfile = requests !== undefined;
    return {
      benchmarkId: this.#benchmarkId,
      version,
      startNs: findMin(shards.map(({ startNs }) => startNs)),
      endNs: findMax(shards.map(({ endNs }) => endNs)),
      period: {
        startNs: findMin(shards.map(({ period }) => period.startNs)),
        endNs: findMax(shards.map(({ period }) => period.endNs)),
      },
      cancelled: shards.some(({ wasCancelled }) => wasCancelled),
      inputConfig: {
        ...inputConfig,
        ...(artifacts ? { artifacts: { ...artifacts, dir: folder } } : {}),
        ...(isProfile ? {} : { benchmark_id: this.#benchmarkId, ...command }),
      },
      servelensConfig: {
        ...uniteConfigs(shards, shard => shard.servelensConfig),
        ...(isProfile ? command : {}),
      },
      shards: shards.map((shard, position) => this.#describeShard(shard, requests?.counts[position])),
    };
  }

  #describeShard(shard: ShardRun, requests: number | undefined): MergedShard {
    const { folder, period, profile, servers, wasCancelled, benchmarkId } = shard;
    const [first] = this.#shards;
    const offset = shard === first ? { offsetMs: 0, uncertaintyMs: 0 } : estimateOffset(first!, shard);
    const delayMs = profile?.report.start_delay_ms;
    return {
      index: shard.shard.index,
      benchmark_id: benchmarkId,
      folder: basename(resolve(folder)),
      start_ns: period.startNs,
      end_ns: period.endNs,
      was_cancelled: wasCancelled,
      ...(delayMs === undefined ? {} : { start_delay_ms: delayMs }),
      ...(requests === undefined ? {} : { requests }),
      endpoints: servers?.record.endpoints.length ?? 0,
      ...(offset ? { clock_offset_ms: offset.offsetMs, clock_uncertainty_ms: offset.uncertaintyMs } : {}),
    };
  }

  async #createRecord(description: MergedDescription): Promise<RunRecord> {
    if (this.#shards.every(({ servers }) => servers === undefined))
      return {
        ...description,
        servelensConfig: description.servelensConfig ?? {},
        endpoints: [],
      } as RunRecord;
    const { record, problems } = await addRunServers(mergeRecords(this.#shards, description));
    for (const problem of problems) this.#warn(problem);
    return record;
  }

  #createExportOptions(record: RunRecord): ExportOptions {
    const { folder, prefix, formats, parquetPartition = false } = this.#plan;
    const { onProgress } = this.#options;
    const run = readRunOptions(record);
    const known = formats ?? (run.formats.length > 0 ? run.formats : getDefaultFormats('servelens'));
    return {
      folder,
      formats: this.#selectFormats(known),
      percentileMethod: run.percentileMethod,
      parquetPartition,
      ...(run.jsonLayout === undefined ? {} : { jsonLayout: run.jsonLayout }),
      ...(prefix === undefined ? {} : { prefix }),
      ...(run.sliceSeconds === undefined ? {} : { sliceSeconds: run.sliceSeconds }),
      ...(onProgress ? { onProgress } : {}),
    };
  }

  /** Parquet exports have no raw values of cumulative series, so JSONL cannot be written from them. */
  #selectFormats(formats: readonly ExportFormat[]): readonly ExportFormat[] {
    const hasParquet = this.#shards.some(({ servers }) => servers?.from === 'parquet');
    if (!hasParquet || !formats.includes('jsonl')) return formats;
    this.#warn(
      'the JSONL export of the server metrics is omitted: it requires the JSONL exports or the journals (--keep-journal) of all shards',
    );
    return formats.filter(format => format !== 'jsonl');
  }

  async #writeServers(
    record: RunRecord,
    options: ExportOptions,
    phases: Parameters<typeof toRecordedPhases>[0],
  ): Promise<ServerMetrics> {
    const exports = await exportRun(record, options);
    const phaseFiles = await writePhaseServerMetrics(record, toRecordedPhases(phases, record), options);
    return { record, exports, phaseFiles };
  }

  /** Reports whether the samples of all endpoints cover the requests of all shards. */
  #isCovered(record: RunRecord, { times }: MergedRequests): boolean {
    const uncovered = findUncovered(record, times);
    if (uncovered !== undefined)
      this.#warn(
        `the requests are not compared with the counters of the servers: the scrapes of ${uncovered} do not cover the requests of all shards, because its shard started later or ended earlier than another one`,
      );
    return uncovered === undefined;
  }

  #findIncompleteReason({ dropped }: MergedRequests): string | undefined {
    const missing = listMissing(this.#shards);
    const { count } = this.#shards[0]!.shard;
    if (missing.length > 0)
      return `${formatCount(missing.length, 'shard')} of ${count} ${missing.length === 1 ? 'is' : 'are'} missing.`;
    const cancelled = this.#shards.filter(({ wasCancelled }) => wasCancelled);
    if (cancelled.length > 0)
      return `Shard ${cancelled.map(({ shard }) => formatShard(shard)).join(', ')} was cancelled or killed before all of its requests ended.`;
    return dropped > 0
      ? `${formatCount(dropped, 'line')} of the requests files could not be read.`
      : undefined;
  }

  #warnOfLine({ profile }: ProfileShard, { severity, line, message }: Issue): void {
    if (severity === 'error') this.#warn(`skipped line ${line} of ${profile.paths.jsonl}: ${message}`);
  }

  #createRunInfo({ profile }: ProfileShard): RunInfo {
    const { cliCommand } = this.#options;
    const { cli_command: _, ...info } = profile.document.run_info as RunInfo;
    return {
      ...info,
      benchmark_id: this.#benchmarkId,
      ...(cliCommand === undefined ? {} : { cli_command: cliCommand }),
    };
  }

  /** Writes the files that repeat or describe the exports. */
  async #complete(
    profile: ProfileExports,
    { shards }: MergedDescription,
    server: ServerMetrics | undefined,
  ): Promise<MergedExports> {
    const { folder, prefix } = this.#plan;
    const paths = getProfilePaths(folder, prefix);
    const result = { ...profile, ...(server ? { server } : {}) };
    const text = this.#options.formatConsole?.(result);
    const furtherFiles: WriteResult[] = [
      ...profile.furtherFiles,
      ...(text === undefined ? [] : [await writeFileAtomic(paths.console, text)]),
    ];
    const wasCancelled = profile.document.was_cancelled === true;
    const marker = await writeReadyMarker(paths.ready, wasCancelled, { ...result, furtherFiles });
    const complete = { ...profile, furtherFiles: [...furtherFiles, marker] };
    return {
      folder,
      shards,
      ...(server ? { server } : {}),
      profile: complete,
      isWritten: isWritten({ server, ...complete }),
    };
  }
}
