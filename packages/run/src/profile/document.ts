import { formatCount } from '@org/core';
import {
  AIPERF_VERSION,
  type ErrorCount,
  type LoadGenerator,
  type MergedShard,
  type OverSaturation,
  type ProfileExport,
  type Reconciliation,
  type Recovered,
  type RunInfo,
  type ServerMetricsDocument,
  type Shard as ShardReport,
} from '@org/formats';
import {
  type LoadSummary,
  type MetricBlock,
  type PhaseMetrics,
  type ProfileMetrics,
  type TokenSource,
  toWallNs,
} from '@org/loadgen';
import type { Compatibility } from '@org/record';
import { formatUtc } from '@org/record/view';
import { builtInServers, type ServerCatalog } from '@org/servers';
import { createGpuFields, type PhaseGpus } from '../gpu/gpuMetrics.ts';
import type { CountedServers } from '../reconciliation/serverTokens.ts';
import { convertBlocks } from './aiperfBlocks.ts';

/** The metrics of one phase. */
export interface PhaseResults {
  readonly metrics: ProfileMetrics;
  readonly phaseMetrics: Pick<PhaseMetrics, 'toBlocks' | 'toRangeBlocks' | 'acceptanceHistogram'>;
  readonly blocks: Readonly<Record<string, MetricBlock>>;
}

/** The metrics of the warm-up. */
export interface WarmupResults extends PhaseResults {
  /** Start of the warm-up, in nanoseconds since 1970. */
  readonly startNs: bigint;
}

export interface DocumentParts extends PhaseResults {
  readonly benchmarkId: string;
  readonly version: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Start of the profiling phase, in nanoseconds since 1970. */
  readonly profilingStartNs: bigint;
  /** The wall time that times in `metrics` are relative to, in nanoseconds since 1970. */
  readonly originNs: bigint;
  /** Undefined for a run that was killed before its load ended. */
  readonly summary: LoadSummary | undefined;
  /** Name of the tokenizer that counted tokens on the client, or `server` if there was none. */
  readonly tokenizer: string;
  /** Source of the token counts that the metrics use. */
  readonly tokenSource: TokenSource;
  /** Number of worker threads. Used only without a summary. */
  readonly workers?: number;
  /** Number of responses that the server ended before the requested length. */
  readonly earlyStops: number;
  /** Present if the load was ended because the servers were over-saturated. */
  readonly overSaturation?: OverSaturation | undefined;
  /** The metrics of the profiling phase by the place of the URL; absent or empty with a single URL. */
  readonly byUrl?: ReadonlyMap<number, ProfileMetrics>;
  /** Metrics of the warm-up; absent without one. */
  readonly warmup?: WarmupResults | undefined;
  readonly cancelled: boolean;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  /** Absent for a run of an earlier version. */
  readonly servelensConfig?: Readonly<Record<string, unknown>> | undefined;
  readonly runInfo: RunInfo;
  /** The program whose metrics are exported; Servelens by default. */
  readonly compatibility?: Compatibility | undefined;
  readonly reconciliation: Reconciliation | undefined;
  /** GPU telemetry of the profiling phase; absent if none was collected. */
  readonly gpus?: PhaseGpus | undefined;
  /** The server metrics of the profiling phase; absent if none were scraped, or for another phase. */
  readonly serverMetrics?: ServerMetricsDocument | undefined;
  /** The servers whose metrics are understood; the built-in servers by default. */
  readonly servers?: ServerCatalog;
  /** Present if the export was recovered from the requests file. */
  readonly recovered?: Recovered;
  /** Present if the run is one of several shards. */
  readonly shard?: ShardReport | undefined;
  /** The shards that the run was merged from; absent for other runs. */
  readonly shards?: readonly MergedShard[];
  /** Why a merged run is incomplete; by default, the reason follows from the other parts. */
  readonly incompleteReason?: string | undefined;
}

function findCounted({
  serverMetrics: document,
  servers: catalog = builtInServers,
}: DocumentParts): CountedServers | undefined {
  return document && { document, catalog };
}

/** Creates profile_export_aiperf.json, schema 1.3. `load_generator` and `reconciliation` are additive fields. */
export function createProfileDocument(parts: DocumentParts): ProfileExport {
  const { summary, reconciliation, tokenizer, tokenSource, workers, earlyStops, overSaturation, recovered } =
    parts;
  const { phaseMetrics, profilingStartNs, warmup, compatibility } = parts;
  const { acceptanceHistogram } = phaseMetrics;
  const allBlocks = convertBlocks(listBlocks(parts, profilingStartNs, parts), compatibility);
  return {
    schema_version: '1.3',
    aiperf_version: AIPERF_VERSION,
    servelens_version: parts.version,
    benchmark_id: parts.benchmarkId,
    ...allBlocks,
    ...toTimestamps(parts),
    ...createGpuFields(parts.gpus, allBlocks, parts.inputConfig, findCounted(parts)),
    start_time: formatUtc(parts.startNs),
    end_time: formatUtc(parts.endNs),
    was_cancelled: parts.cancelled,
    ...describeCompleteness(parts),
    input_config: parts.inputConfig,
    ...(parts.servelensConfig ? { servelens_config: parts.servelensConfig } : {}),
    run_info: parts.runInfo,
    ...(acceptanceHistogram ? { pooled_spec_decode_acceptance_histogram: acceptanceHistogram } : {}),
    error_summary: parts.metrics.errors.map(toErrorCount),
    ...(warmup && hasRequests(warmup)
      ? { warmup_metrics: convertBlocks(listBlocks(warmup, warmup.startNs, parts), compatibility) }
      : {}),
    ...toUrlMetrics(parts),
    load_generator: {
      ...(summary
        ? toLoadGenerator(summary, tokenSource)
        : { tokenizer, token_source: tokenSource, ...(workers ? { workers } : {}) }),
      ...(earlyStops > 0 ? { early_stops: earlyStops } : {}),
      ...(overSaturation ? { over_saturation: overSaturation } : {}),
    },
    ...(reconciliation ? { reconciliation } : {}),
    ...(recovered ? { recovered } : {}),
    ...(parts.shard ? { shard: parts.shard } : {}),
    ...(parts.shards ? { shards: parts.shards } : {}),
  };
}

/** Returns the metrics of each URL. Rates use the duration of the run, so that they add up to the rate of the run. */
function toUrlMetrics({
  byUrl = new Map(),
  metrics: { span },
  inputConfig,
}: DocumentParts): Pick<ProfileExport, 'url_metrics'> {
  if (byUrl.size === 0) return {};
  const { urls = [] } = (inputConfig.endpoint ?? {}) as { readonly urls?: readonly string[] };
  const entries = [...byUrl].sort(([a], [b]) => a - b);
  return {
    url_metrics: entries.map(([index, metrics]) => ({
      url_index: index,
      ...(urls[index] === undefined ? {} : { url: urls[index] }),
      metrics: metrics.toBlocks(span && span.endNs - span.startNs) as NonNullable<
        ProfileExport['url_metrics']
      >[number]['metrics'],
    })),
  };
}

/** Reports whether requests of a phase have ended, except for cancelled requests, which have no metrics. */
function hasRequests({ metrics }: PhaseResults): boolean {
  return metrics.succeeded + metrics.failed > 0;
}

/** Lists the metrics of a phase that starts at `startNs`, in nanoseconds since 1970. */
function listBlocks(
  { blocks, phaseMetrics }: PhaseResults,
  startNs: bigint,
  { originNs }: Pick<DocumentParts, 'originNs'>,
): Record<string, MetricBlock> {
  return { ...blocks, ...phaseMetrics.toBlocks(Number(startNs - originNs)) };
}

/** Returns whether the metrics cover all requests of the run and, if not, why. */
function describeCompleteness(
  parts: DocumentParts,
): Pick<ProfileExport, 'is_complete' | 'incomplete_reason'> {
  const reason = findIncompleteReason(parts);
  return {
    is_complete: reason === undefined,
    ...(reason === undefined ? {} : { incomplete_reason: reason }),
  };
}

function findIncompleteReason({
  summary,
  cancelled,
  overSaturation,
  recovered,
  incompleteReason,
}: DocumentParts): string | undefined {
  if (incompleteReason !== undefined) return incompleteReason;
  if (!summary) return 'The run was killed before all requests ended.';
  if (cancelled) return 'The run was cancelled before all requests ended.';
  if (overSaturation) return 'The load was ended early because the servers were over-saturated.';
  const dropped = recovered?.lines_dropped ?? 0;
  return dropped > 0 ? `${formatCount(dropped, 'line')} of the requests file could not be read.` : undefined;
}

/**
 * Returns the times of the first request and the last response, in nanoseconds since 1970. They are bigints,
 * because a double would round them.
 */
function toTimestamps({ metrics, originNs }: DocumentParts): Record<string, unknown> {
  const { span } = metrics;
  if (!span) return {};
  const toBlock = (ns: number): unknown => ({ unit: 'ns', avg: toWallNs(originNs, ns) });
  return { min_request_timestamp: toBlock(span.startNs), max_response_timestamp: toBlock(span.endNs) };
}

/** Converts a group of failures to an entry of `error_summary`. */
export function toErrorCount({ failure, count }: ProfileMetrics['errors'][number]): ErrorCount {
  const { code, type, message } = failure;
  return { error_details: { code: code ?? null, type, message }, count };
}

/** Returns the waits after connection failures; journals of earlier versions do not contain them. */
function describeWaits(profiling: LoadSummary['phases'][number] | undefined): Partial<LoadGenerator> {
  if (!profiling?.connectionWaits) return {};
  const { connectionWaits, connectionWaitNs } = profiling;
  return { connection_waits: connectionWaits, connection_wait_seconds: connectionWaitNs / 1e9 };
}

function toLoadGenerator(summary: LoadSummary, tokenSource: TokenSource): LoadGenerator {
  const profiling = summary.phases.find(({ phase }) => phase === 'profiling');
  return {
    tokenizer: summary.tokenizer,
    token_source: tokenSource,
    ...(summary.workers ? { workers: summary.workers } : {}),
    event_loop_delay_p99_ms: summary.eventLoopDelay.p99Ns / 1e6,
    event_loop_delay_max_ms: summary.eventLoopDelay.maxNs / 1e6,
    event_loop_utilization: summary.clientBusy,
    send_delay_p99_ms: summary.sendDelay.p99Ns / 1e6,
    send_delay_max_ms: summary.sendDelay.maxNs / 1e6,
    unsent_requests: profiling?.unsent ?? 0,
    ...describeWaits(profiling),
    stop_reason: profiling?.stopReason ?? 'interrupted',
    warnings: summary.warnings.map(({ kind, message }) => ({ kind, message })),
  };
}
