import { randomUUID } from 'node:crypto';
import type { Issue, MergedShard, RunInfo } from '@org/formats';
import { type WriteResult, writeFileAtomic } from '@org/formats/write';
import type { RunRecord } from '@org/record';
import { addRunServers } from '@org/record/servers';
import { type ExportOptions, exportRun } from '../export/exportRun.ts';
import { writePhaseServerMetrics } from '../export/phaseServerMetrics.ts';
import { readGpuTelemetry, readRecordedMap } from '../gpu/readGpuTelemetry.ts';
import { type ServedGpus, writeServedGpus } from '../gpu/servedGpus.ts';
import { isWritten, openRunMemory, type ServerMetrics } from '../lifecycle/runStorage.ts';
import type { ProfileExports } from '../profile/profileExports.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import { toRecordedPhases } from '../profile/recordedPhases.ts';
import { writeReadyMarker } from '../profile/resultsReady.ts';
import { listPhases } from '../profile/runPhases.ts';
import { rebuildProfile } from '../recover/rebuildProfile.ts';
import { DEFAULT_VERSION } from '../runContext.ts';
import { findUncovered } from './coverage.ts';
import { findIncompleteReason } from './incompleteReason.ts';
import { joinLines } from './joinedLines.ts';
import { describeMergedRun, type MergedDescription } from './mergedDescription.ts';
import { createExportOptions } from './mergedExportOptions.ts';
import { withMergedFolder } from './mergedFolder.ts';
import { createHeader, createLoadMarks, findTokenSource, readGoodput } from './mergedLoad.ts';
import { mergeRecords } from './mergedRecord.ts';
import { type MergedRequests, mergeRequests, type ProfileShard } from './mergedRequests.ts';
import type { MergeOptions, MergePlan } from './mergePlan.ts';
import { openShard, type ShardRun } from './shardRun.ts';
import { orderShards } from './shardSet.ts';

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
  return await withMergedFolder(plan, async () => {
    const memory = openRunMemory(plan.folder, plan.memoryLimit ?? 2 ** 30);
    try {
      const opened: ShardRun[] = [];
      for (const folder of plan.shards) opened.push(await openShard(folder, plan.prefix, memory.memory));
      const shards = orderShards(opened, { allowsMissing: plan.allowsMissing ?? false });
      return await new Merge(shards, plan, options).run();
    } finally {
      memory.close();
    }
  });
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
    const options = createExportOptions(record, this.#shards, this.#plan, this.#options);
    const phases = listPhases((marks.at(-1)!.data as { summary: Parameters<typeof listPhases>[0] }).summary);
    const server = header.hasServers ? await this.#writeServers(record, options, phases) : undefined;
    const profile = await rebuildProfile({ header: description, record, replay: { marks } }, header, {
      requests: paths.jsonl,
      exports: options,
      server,
      phases,
      emit: () => {},
      merged: {
        shards: description.shards,
        incompleteReason: findIncompleteReason(this.#shards, requests.dropped),
      },
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
    const options = createExportOptions(record, this.#shards, this.#plan, this.#options);
    const server = await this.#writeServers(record, options, []);
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
    const identity = { folder, benchmarkId: this.#benchmarkId, version, cliCommand };
    return describeMergedRun(this.#shards, identity, requests?.counts);
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
