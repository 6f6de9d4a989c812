import type {
  ErrorCount,
  LoadGenerator,
  ProfileExport,
  ProfileTimeslices,
  Reconciliation,
  Recovered,
  RunInfo,
} from '@org/formats';
import {
  type LoadSummary,
  type MetricBlock,
  type MetricSlice,
  type ProfileMetrics,
  toWallNs,
} from '@org/loadgen';

export interface DocumentParts {
  readonly benchmarkId: string;
  readonly version: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly metrics: ProfileMetrics;
  readonly blocks: Readonly<Record<string, MetricBlock>>;
  /** Wall time of the origin of the times in `metrics`. */
  readonly originNs: bigint;
  /** Absent of a run that was killed before its load was over. */
  readonly summary: LoadSummary | undefined;
  /** Who counted tokens. */
  readonly tokenizer: string;
  /** Threads of their own that sent the requests, where there is no summary to say so. */
  readonly workers?: number;
  readonly cancelled: boolean;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  readonly runInfo: RunInfo;
  readonly reconciliation: Reconciliation | undefined;
  /** Where the export is made again from the lines of the requests. */
  readonly recovered?: Recovered;
}

/** profile_export_aiperf.json, schema 1.3 (seed 004). `load_generator` and `reconciliation` are ours, beside it. */
export function profileDocument(parts: DocumentParts): ProfileExport {
  const { summary, blocks, reconciliation, tokenizer, workers, recovered } = parts;
  return {
    schema_version: '1.3',
    aiperf_version: parts.version,
    benchmark_id: parts.benchmarkId,
    ...blocks,
    ...timestamps(parts),
    start_time: utc(parts.startNs),
    end_time: utc(parts.endNs),
    was_cancelled: parts.cancelled,
    input_config: parts.inputConfig,
    run_info: parts.runInfo,
    error_summary: parts.metrics.errors.map(errorCount),
    load_generator: summary ? loadGenerator(summary) : { tokenizer, ...(workers ? { workers } : {}) },
    ...(reconciliation ? { reconciliation } : {}),
    ...(recovered ? { recovered } : {}),
  };
}

/** First sending and last content, ns since 1970; 19 digits are more than a double holds. */
function timestamps({ metrics, originNs }: DocumentParts): Record<string, unknown> {
  const { span } = metrics;
  if (!span) return {};
  const block = (ns: number): unknown => ({ unit: 'ns', avg: toWallNs(originNs, ns) });
  return { min_request_timestamp: block(span.startNs), max_response_timestamp: block(span.endNs) };
}

function errorCount({ failure, count }: ProfileMetrics['errors'][number]): ErrorCount {
  const { code, type, message } = failure;
  return { error_details: { code: code ?? null, type, message }, count };
}

function loadGenerator(summary: LoadSummary): LoadGenerator {
  const profiling = summary.phases.find(({ phase }) => phase === 'profiling');
  return {
    tokenizer: summary.tokenizer,
    ...(summary.workers ? { workers: summary.workers } : {}),
    event_loop_delay_p99_ms: summary.eventLoopDelay.p99Ns / 1e6,
    event_loop_delay_max_ms: summary.eventLoopDelay.maxNs / 1e6,
    event_loop_utilization: summary.clientBusy,
    send_delay_p99_ms: summary.sendDelay.p99Ns / 1e6,
    send_delay_max_ms: summary.sendDelay.maxNs / 1e6,
    unsent_requests: profiling?.unsent ?? 0,
    stop_reason: profiling?.stopReason ?? 'interrupted',
    warnings: summary.warnings.map(({ kind, message }) => ({ kind, message })),
  };
}

/** The timeslices document. `originNs`: wall time of the run's origin. */
export function timeslicesDocument(
  slices: readonly MetricSlice[],
  originNs: bigint,
  inputConfig: Readonly<Record<string, unknown>>,
): ProfileTimeslices {
  return {
    timeslices: slices.map(({ index, startNs, endNs, isComplete, blocks }) => ({
      timeslice_index: index,
      start_ns: toWallNs(originNs, startNs),
      end_ns: toWallNs(originNs, endNs),
      ...(isComplete ? {} : { is_complete: false }),
      ...blocks,
    })),
    input_config: inputConfig,
  };
}

/** UTC with microseconds, as all exports have it. */
function utc(ns: bigint): string {
  const micros = String((ns / 1000n) % 1_000_000n).padStart(6, '0');
  return `${new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19)}.${micros}Z`;
}
