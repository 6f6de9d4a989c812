import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describeSystemError, isShard, parseShard, type Shard, type StoreMemory } from '@org/core';
import type { ProfileExport } from '@org/formats';
import { FormatError, fromPath, isSourceError, readProfileExport } from '@org/formats/read';
import { RunInputError, type RunRecord } from '@org/record';
import { findSampleFiles, type OpenedRecord, openRunRecord, parseTimeNs } from '@org/record/open';
import { isRegularFile } from '../export/regularFile.ts';
import { listJournaledRuns } from '../lifecycle/folderUse.ts';
import { getProfilePaths, type ProfilePaths } from '../profile/profilePaths.ts';

/** The client's side of a shard of a profile run. */
export interface ShardProfile {
  readonly document: ProfileExport;
  readonly report: NonNullable<ProfileExport['shard']>;
  readonly paths: ProfilePaths;
}

/** A shard as read from its folder. Times are Unix nanoseconds of the clock of its machine. */
export interface ShardRun {
  readonly folder: string;
  readonly shard: Shard;
  readonly benchmarkId: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Start and end of profiling. */
  readonly period: RunRecord['period'];
  readonly wasCancelled: boolean;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  readonly servelensConfig: Readonly<Record<string, unknown>>;
  /** Absent for a shard of a collect run. */
  readonly profile?: ShardProfile;
  /** Absent if the shard scraped no endpoints. */
  readonly servers?: OpenedRecord;
}

/**
 * Opens the run of a shard. Throws `RunInputError` if the folder has no complete exports, or the exports of a run that is not a
 * shard.
 */
export async function openShard(
  folder: string,
  prefix: string | undefined,
  memory: StoreMemory,
): Promise<ShardRun> {
  checkExports(folder);
  const paths = getProfilePaths(folder, prefix);
  const document = isRegularFile(paths.json) ? await readDocument(paths.json) : undefined;
  const servers = hasServers(document) ? await openServers(folder, prefix, memory) : undefined;
  return document ? describeProfile(folder, document, paths, servers) : describeCollect(folder, servers!);
}

/** Throws `RunInputError` if the folder does not exist, or if its run is active or was killed. */
function checkExports(folder: string): void {
  if (!existsSync(folder)) throw new RunInputError(`the folder ${JSON.stringify(folder)} does not exist`);
  const name = JSON.stringify(folder);
  for (const { state } of listJournaledRuns(folder)) {
    if (state === 'active')
      throw new RunInputError(`the run in ${name} is still active; merge it after its end`);
    if (state === 'unexported')
      throw new RunInputError(
        `the run in ${name} was killed before it wrote its exports; write them with: servelens recover ${folder}`,
      );
  }
}

async function readDocument(path: string): Promise<ProfileExport> {
  try {
    return await readProfileExport(fromPath(path));
  } catch (error) {
    if (error instanceof FormatError) throw new RunInputError(error.message);
    if (!isSourceError(error)) throw error;
    throw new RunInputError(
      'code' in error ? `cannot read ${path}: ${describeSystemError(error)}` : error.message,
    );
  }
}

/** Reports whether a run scraped endpoints; a collect run always does. */
function hasServers(document: ProfileExport | undefined): boolean {
  const { server_metrics: servers } = (document?.input_config ?? {}) as {
    readonly server_metrics?: { readonly enabled?: unknown };
  };
  return servers?.enabled !== false;
}

function openServers(folder: string, prefix: string | undefined, memory: StoreMemory): Promise<OpenedRecord> {
  return findSampleFiles(folder, prefix ?? '').then(files => openRunRecord(files, undefined, memory));
}

function describeProfile(
  folder: string,
  document: ProfileExport,
  paths: ProfilePaths,
  servers: OpenedRecord | undefined,
): ShardRun {
  const { shard: report } = document;
  if (document.shards)
    throw new RunInputError(`${JSON.stringify(folder)} contains a run that is already merged`);
  if (!report || !isShard(report)) throw createShardError(folder, 'profile');
  if (!isRegularFile(paths.jsonl))
    throw new RunInputError(
      `${JSON.stringify(folder)} has no ${basename(paths.jsonl)}, which a merge requires; run the shards with --export-level records`,
    );
  return {
    folder,
    shard: { index: report.index, count: report.count },
    benchmarkId: document.benchmark_id ?? '',
    startNs: parseTimeNs(document.start_time ?? '') ?? report.start_ns,
    endNs: parseTimeNs(document.end_time ?? '') ?? report.end_ns,
    period: { startNs: report.start_ns, endNs: report.end_ns },
    wasCancelled: document.was_cancelled === true,
    inputConfig: document.input_config ?? {},
    servelensConfig: document.servelens_config ?? {},
    profile: { document, report, paths },
    ...(servers ? { servers } : {}),
  };
}

function describeCollect(folder: string, servers: OpenedRecord): ShardRun {
  const { record } = servers;
  const { inputConfig, servelensConfig = {} } = record;
  if (record.summary?.shards)
    throw new RunInputError(`${JSON.stringify(folder)} contains a run that is already merged`);
  const { shard: text } = { ...inputConfig, ...servelensConfig } as { readonly shard?: unknown };
  const shard = typeof text === 'string' ? parseShard(text) : undefined;
  if (!shard) throw createShardError(folder, 'collect');
  return {
    folder,
    shard,
    benchmarkId: record.benchmarkId,
    startNs: record.startNs,
    endNs: record.endNs,
    period: record.period,
    wasCancelled: record.cancelled,
    inputConfig,
    servelensConfig,
    servers,
  };
}

function createShardError(folder: string, command: string): RunInputError {
  return new RunInputError(
    `${JSON.stringify(folder)} contains a run that is not a shard; start each part with: servelens ${command} --shard I/N`,
  );
}

/** Returns the path of a file of a shard, if the shard has it. */
export function findShardFile({ folder }: ShardRun, path: string): string | undefined {
  const file = join(folder, basename(path));
  return isRegularFile(file) ? file : undefined;
}
