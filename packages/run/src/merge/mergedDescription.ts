import { basename, resolve } from 'node:path';
import type { MergedShard } from '@org/formats';
import type { RunRecord } from '@org/record';
import { estimateOffset } from './clockOffsets.ts';
import { uniteConfigs } from './shardOptions.ts';
import type { ShardRun } from './shardRun.ts';
import { findEarliest, findLatest } from './timeOrder.ts';

/** A run that is merged from shards, without its samples. */
export interface MergedDescription
  extends Pick<RunRecord, 'benchmarkId' | 'startNs' | 'endNs' | 'cancelled'> {
  readonly version: string;
  readonly inputConfig: RunRecord['inputConfig'];
  readonly servelensConfig: RunRecord['servelensConfig'];
  readonly period: RunRecord['period'];
  readonly shards: readonly MergedShard[];
}

/** Identity of a merged run. */
export interface MergedIdentity {
  readonly folder: string;
  readonly benchmarkId: string;
  readonly version: string;
  /** Command line without secrets. */
  readonly cliCommand: string | undefined;
}

/** Describes the run that shards are merged into. `requests` are the profiling requests of each shard; undefined for a collect run. */
export function describeMergedRun(
  shards: readonly ShardRun[],
  { folder, benchmarkId, version, cliCommand }: MergedIdentity,
  requests: readonly number[] | undefined,
): MergedDescription {
  const inputConfig = uniteConfigs(shards, shard => shard.inputConfig);
  const { artifacts } = inputConfig as { readonly artifacts?: object };
  const command = cliCommand === undefined ? {} : { cli_command: cliCommand };
  const isProfile = requests !== undefined;
  return {
    benchmarkId,
    version,
    startNs: findEarliest(shards.map(({ startNs }) => startNs)),
    endNs: findLatest(shards.map(({ endNs }) => endNs)),
    period: {
      startNs: findEarliest(shards.map(({ period }) => period.startNs)),
      endNs: findLatest(shards.map(({ period }) => period.endNs)),
    },
    cancelled: shards.some(({ wasCancelled }) => wasCancelled),
    inputConfig: {
      ...inputConfig,
      ...(artifacts ? { artifacts: { ...artifacts, dir: folder } } : {}),
      ...(isProfile ? {} : { benchmark_id: benchmarkId, ...command }),
    },
    servelensConfig: {
      ...uniteConfigs(shards, shard => shard.servelensConfig),
      ...(isProfile ? command : {}),
    },
    shards: shards.map((shard, position) => describeShard(shard, shards[0]!, requests?.[position])),
  };
}

/** Describes a shard. Its clock is compared with the clock of the first shard. */
function describeShard(shard: ShardRun, first: ShardRun, requests: number | undefined): MergedShard {
  const { folder, period, profile, servers, wasCancelled, benchmarkId } = shard;
  const offset = shard === first ? { offsetMs: 0, uncertaintyMs: 0 } : estimateOffset(first, shard);
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
