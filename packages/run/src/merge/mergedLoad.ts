import { formatShard } from '@org/core';
import type { LoadGenerator, RunInfo } from '@org/formats';
import {
  type GoodputRule,
  type LoadSummary,
  parseGoodput,
  STOP_REASONS,
  selectStopReason,
  type TokenSource,
} from '@org/loadgen';
import { LOAD_MARK, type LoadEnd, type ProfileHeader } from '@org/record/journal';
import type { RebuiltRun } from '../recover/rebuiltRun.ts';
import type { MergedDescription } from './mergedDescription.ts';
import type { MergedRequests, ProfileShard } from './mergedRequests.ts';
import { findEarliest, findLatest } from './timeOrder.ts';

/** The fields of a recorded configuration that the merged metrics depend on. */
interface Config {
  readonly endpoint?: { readonly streaming?: boolean; readonly type?: string };
  readonly phases?: readonly { readonly kind?: string; readonly type?: string }[];
  readonly slos?: Readonly<Record<string, number>>;
}

/** Reads the goodput limits of a run from its configuration. */
export function readGoodput({ inputConfig }: Pick<ProfileShard, 'inputConfig'>): GoodputRule[] | undefined {
  const { slos } = inputConfig as Config;
  if (!slos) return undefined;
  return parseGoodput(
    Object.entries(slos)
      .map(([tag, limit]) => `${tag}:${limit}`)
      .join(' '),
  );
}

/** Returns the source of token counts that all shards have; the client if their sources differ. */
export function findTokenSource(shards: readonly ProfileShard[]): TokenSource {
  const sources = shards.map(({ profile }) => profile.document.load_generator?.token_source ?? 'client');
  return sources.every(source => source === 'server') ? 'server' : 'client';
}

/** Describes the load of a merged run like the header of its journal. */
export function createHeader(
  shards: readonly ProfileShard[],
  { inputConfig, servelensConfig, startNs }: MergedDescription,
  runInfo: RunInfo,
): ProfileHeader {
  const { endpoint, phases = [] } = inputConfig as Config;
  const goodput = readGoodput(shards[0]!);
  const workers = sum(shards, ({ workers }) => workers ?? 0);
  return {
    startNs,
    inputConfig,
    ...(servelensConfig ? { servelensConfig } : {}),
    runInfo,
    streaming: endpoint?.streaming === true && endpoint.type !== 'embeddings',
    ...(goodput ? { goodput } : {}),
    ...(phases.some(({ kind, type }) => kind !== 'warmup' && type === 'fixed_schedule')
      ? { fixedSchedule: true }
      : {}),
    tokenizer: readLoad(shards[0]!).tokenizer,
    tokenSource: findTokenSource(shards),
    ...(workers > 0 ? { workers } : {}),
    ...(shards.some(({ profile }) => profile.report.warmup_start_ns !== undefined)
      ? { hasWarmup: true }
      : {}),
    hasServers: shards.some(({ servers }) => servers !== undefined),
  };
}

/**
 * Creates the marks of the start and the end of the load, as a run writes them to its journal. Without a start, the requests
 * are not compared with the counters of the servers, which do not cover them (`isCovered`).
 */
export function createLoadMarks(
  shards: readonly ProfileShard[],
  { startNs, endNs, period, cancelled }: MergedDescription,
  requests: MergedRequests,
  isCovered: boolean,
): RebuiltRun['replay']['marks'] {
  const { warmupCutOff } = requests;
  const summary = summarize(
    shards,
    startNs,
    { startNs: period.startNs, endNs: period.endNs },
    cancelled,
    requests,
  );
  const end: LoadEnd = { summary, warmupCutOff, profilingEndNs: period.endNs };
  const overSaturation = shards.map(shard => readLoad(shard).over_saturation).find(Boolean);
  return [
    ...(isCovered ? [{ kind: LOAD_MARK.started, atNs: period.startNs, data: { warmupCutOff } }] : []),
    { kind: LOAD_MARK.ended, atNs: endNs, data: overSaturation ? { ...end, overSaturation } : end },
  ];
}

/** Merges the summaries of the shards, as those of worker threads. Delays are the longest of all shards. */
function summarize(
  shards: readonly ProfileShard[],
  originNs: bigint,
  period: MergedDescription['period'],
  cancelled: boolean,
  { sendDelaysNs }: MergedRequests,
): LoadSummary {
  const max = (read: (load: LoadGenerator) => number | undefined): number =>
    Math.max(0, ...shards.map(shard => read(readLoad(shard)) ?? 0));
  const toNs = (ms: number): number => Math.round(ms * 1e6);
  const times = { count: 0, meanNs: 0, p50Ns: 0 };
  return {
    originNs,
    phases: listPhases(shards, originNs, period),
    wasCancelled: cancelled,
    eventLoopDelay: {
      ...times,
      p99Ns: toNs(max(load => load.event_loop_delay_p99_ms)),
      maxNs: toNs(max(load => load.event_loop_delay_max_ms)),
    },
    clientBusy: max(load => load.event_loop_utilization),
    sendDelay: {
      ...times,
      p99Ns: findQuantile(sendDelaysNs, 0.99),
      maxNs: Math.max(0, sendDelaysNs.at(-1) ?? 0),
    },
    missingEndMarkers: 0,
    tokenizer: readLoad(shards[0]!).tokenizer,
    workers: sum(shards, ({ workers }) => workers ?? 0),
    lostWorkers: [],
    warnings: shards.flatMap(shard =>
      (readLoad(shard).warnings ?? []).map(({ kind, message }) => ({
        kind: kind as LoadSummary['warnings'][number]['kind'],
        message: `shard ${formatShard(shard.shard)}: ${message}`,
      })),
    ),
  };
}

/** Lists the phases of all shards together, with the totals that an export contains. */
function listPhases(
  shards: readonly ProfileShard[],
  originNs: bigint,
  { startNs, endNs }: MergedDescription['period'],
): LoadSummary['phases'] {
  const toRelative = (ns: bigint): number => Number(ns - originNs);
  const counts = { sent: 0, succeeded: 0, failed: 0, cancelled: 0, sessions: 0 };
  const profiling = {
    ...counts,
    phase: 'profiling' as const,
    startNs: toRelative(startNs),
    sentNs: toRelative(endNs),
    endNs: toRelative(endNs),
    unsent: sum(shards, load => load.unsent_requests ?? 0),
    connectionWaits: sum(shards, load => load.connection_waits ?? 0),
    connectionWaitNs: 1e9 * sum(shards, load => load.connection_wait_seconds ?? 0),
    stopReason: selectStopReason(
      shards.map(shard => {
        const reason = readLoad(shard).stop_reason;
        return STOP_REASONS.find(known => known === reason) ?? 'interrupted';
      }),
    ),
  };
  const reports = shards.map(({ profile }) => profile.report);
  const starts = reports.flatMap(({ warmup_start_ns: ns }) => ns ?? []);
  const ends = reports.flatMap(({ warmup_end_ns: ns }) => ns ?? []);
  if (starts.length === 0 || ends.length === 0) return [profiling];
  const warmupEndNs = toRelative(findLatest(ends));
  const warmup = {
    ...profiling,
    ...{ unsent: 0, connectionWaits: 0, connectionWaitNs: 0 },
    phase: 'warmup' as const,
    startNs: toRelative(findEarliest(starts)),
    sentNs: warmupEndNs,
    endNs: warmupEndNs,
  };
  return [warmup, profiling];
}

function readLoad({ profile }: ProfileShard): LoadGenerator {
  return profile.document.load_generator ?? { tokenizer: 'server' };
}

function sum(shards: readonly ProfileShard[], read: (load: LoadGenerator) => number): number {
  return shards.reduce((total, shard) => total + read(readLoad(shard)), 0);
}

/** Returns a quantile of ascending values: the smallest value that is not below this fraction of the values. */
function findQuantile(sorted: Float64Array, fraction: number): number {
  return Math.max(0, sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? 0);
}
