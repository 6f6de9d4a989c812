import type { TokenSource } from '@org/loadgen';
import { type ProfileHeader, readLoad } from '@org/record/journal';
import type { DocumentParts } from '../profile/document.ts';
import type { RunMetrics } from '../profile/runMetrics.ts';
import type { RebuiltRun } from './rebuiltRun.ts';

/** What the requests of a run add up to. */
export interface RequestTotals {
  readonly metrics: RunMetrics;
  /** The wall time that times in `metrics` are relative to, in nanoseconds since 1970. */
  readonly originNs: bigint;
  /** Time of the last scrape or the last response, whichever is later, in nanoseconds since 1970. */
  readonly lastNs: bigint;
  readonly warmupStartNs: bigint;
  readonly tokenSource: TokenSource;
  /** Number of responses that the server ended before the requested length. */
  readonly earlyStops: number;
}

/** The parts of a client document that come from the journal of the run and its requests. */
type RequestParts = DocumentParts & { readonly profilingEndNs: bigint };

/** Describes the requests of a run that was killed or is still running. */
export function createRequestParts(
  { header, record, replay }: RebuiltRun,
  { runInfo, inputConfig, startNs, tokenizer, workers, shard, startAtNs }: ProfileHeader,
  { metrics: { profiling, profilingPhase, byUrl, warmup, warmupPhase }, ...totals }: RequestTotals,
): RequestParts {
  const { end } = readLoad(replay.marks);
  const profilingEndNs = end ? (end.profilingEndNs ?? totals.originNs) : totals.lastNs;
  const shardTimes = { start_ns: record.period.startNs, end_ns: profilingEndNs };
  const planned = startAtNs === undefined ? {} : { start_at_ns: startAtNs };
  return {
    benchmarkId: header.benchmarkId,
    version: header.version,
    startNs,
    endNs: end?.atNs ?? totals.lastNs,
    metrics: profiling,
    phaseMetrics: profilingPhase,
    blocks: profiling.toBlocks(),
    byUrl,
    warmup: {
      metrics: warmup,
      phaseMetrics: warmupPhase,
      blocks: warmup.toBlocks(),
      startNs: totals.warmupStartNs,
    },
    originNs: totals.originNs,
    summary: end?.summary,
    earlyStops: totals.earlyStops,
    overSaturation: end?.overSaturation,
    tokenizer,
    tokenSource: totals.tokenSource,
    ...(workers === undefined ? {} : { workers }),
    cancelled: end?.summary.wasCancelled ?? true,
    inputConfig,
    runInfo,
    reconciliation: undefined,
    profilingStartNs: record.period.startNs,
    profilingEndNs,
    ...(shard ? { shard: { ...shard, ...shardTimes, ...planned } } : {}),
  };
}
