import type { ProfileRecord, TraceData } from '@org/formats';
import {
  type EndedRequest,
  type Failure,
  isEarlyStop,
  type RequestMetrics,
  type RequestRecord,
  type Speculation,
  type TimedRequest,
  toWallNs,
} from '@org/loadgen';
import { getPhasePosition, type PhaseName, type PhasePosition } from './phasePosition.ts';

/** The properties of a run that its lines depend on. */
export interface LineContext {
  /** The wall time that times of records are relative to, in nanoseconds since 1970. */
  readonly originNs: bigint;
  readonly hasWarmup: boolean;
  /** True if requests are sent to several URLs. */
  readonly hasSeveralUrls?: boolean;
  /** Present if the metrics use the counts of the server. */
  readonly clientTokens?: ProfileRecord['metadata']['client_tokens'];
}

/** Converts a request to a line of profile_export.jsonl. */
export function toRequestLine(
  record: RequestRecord,
  metrics: RequestMetrics,
  { originNs, hasWarmup, hasSeveralUrls = false, clientTokens }: LineContext,
): ProfileRecord {
  const toWall = (ns: number): bigint => toWallNs(originNs, ns);
  const toOptionalWall = (ns: number | undefined): bigint | null => (ns === undefined ? null : toWall(ns));
  const { failure } = record;
  return {
    metadata: {
      session_num: record.session,
      x_request_id: record.requestId,
      x_correlation_id: record.correlationId,
      conversation_id: record.conversationId,
      turn_index: record.turn,
      credit_issued_ns: toWall(record.intendedNs),
      request_start_ns: toWall(record.startNs),
      request_ack_ns: toOptionalWall(record.trace.firstByteNs),
      request_end_ns: toWall(record.endNs),
      worker_id: record.workerId,
      // AIPerf's readers require this field. Here a single process writes all lines.
      record_processor_id: 'record_processor_0',
      benchmark_phase: record.phase,
      ...describePhase(record.phase, hasWarmup),
      was_cancelled: record.cancelled,
      ...describeAgent(record),
      ...(record.cancelledNs === undefined ? {} : { cancellation_time_ns: toWall(record.cancelledNs) }),
      ...(record.missingEndMarker ? { stream_finished: false } : {}),
      ...(hasSeveralUrls ? { url_index: record.urlIndex } : {}),
      ...(isEarlyStop(record) ? { stopped_early: true } : {}),
      ...(clientTokens ? { client_tokens: clientTokens } : {}),
    },
    metrics,
    trace_data: toTraceData(record, toWall),
    ...(record.speculation ? { spec_decode_acceptance: toAcceptance(record.speculation) } : {}),
    error: failure ? { code: failure.code ?? null, type: failure.type, message: failure.message } : null,
  };
}

/** Returns AIPerf's fields about agentic sessions, with the values of a session that is not agentic. */
function describeAgent({ correlationId }: RequestRecord): Readonly<Record<string, unknown>> {
  return { context_overflow_skip: false, agent_depth: 0, root_correlation_id: correlationId };
}

/** Returns the position of a phase without null values. */
function describePhase(phase: PhaseName, hasWarmup: boolean): Partial<PhasePosition> {
  const { profiling_index, ...position } = getPhasePosition(phase, hasWarmup);
  return profiling_index === null ? position : { ...position, profiling_index };
}

/**
 * Converts a line of profile_export.jsonl to a request, to compute metrics again. Times are nanoseconds since
 * `originNs`.
 *
 * The time of the last token is the start plus the latency. This is exact, because the line contains all
 * digits of the latency.
 */
export function toEndedRequest(
  { metadata, metrics, error, spec_decode_acceptance: acceptance }: ProfileRecord,
  originNs: bigint,
): EndedRequest & TimedRequest {
  const toRelative = (ns: number | bigint): number => Number(BigInt(ns) - originNs);
  const startNs = toRelative(metadata.request_start_ns);
  const latencyMs = metrics?.request_latency?.value;
  const issuedNs = metadata.credit_issued_ns ?? undefined;
  return {
    startNs,
    intendedNs: issuedNs === undefined ? undefined : toRelative(issuedNs),
    endNs: toRelative(metadata.request_end_ns),
    lastTokenNs: typeof latencyMs === 'number' ? startNs + Math.round(latencyMs * 1e6) : undefined,
    failure: error ? toFailure(error) : undefined,
    cancelled: metadata.was_cancelled === true,
    speculation: acceptance ? { histogram: toHistogram(acceptance.acceptance_histogram) } : undefined,
  };
}

type Acceptance = NonNullable<ProfileRecord['spec_decode_acceptance']>;

/** Describes the speculative decoding of a request, without the numbers of accepted tokens that had no steps. */
function toAcceptance(speculation: Speculation): Acceptance {
  const { histogram, maxDraftTokens } = speculation;
  return {
    engine: 'vllm',
    mean_acceptance_length: speculation.meanLength,
    draft_acceptance_rate: speculation.acceptanceRate,
    acceptance_histogram: Object.fromEntries(
      [...histogram.entries()].filter(([, steps]) => steps > 0).map(([accepted, steps]) => [accepted, steps]),
    ),
    num_accepted_draft_tokens: speculation.acceptedTokens,
    num_draft_tokens: speculation.draftTokens,
    num_spec_steps: speculation.steps,
    ...(maxDraftTokens === undefined ? {} : { num_spec_tokens: maxDraftTokens }),
  };
}

function toHistogram(counts: Acceptance['acceptance_histogram']): number[] {
  const histogram: number[] = [];
  for (const [accepted, steps] of Object.entries(counts)) histogram[Number(accepted)] = steps;
  return histogram;
}

function toFailure({ type, code, message }: NonNullable<ProfileRecord['error']>): Failure {
  return {
    type: (type ?? 'Other') as Failure['type'],
    ...(typeof code === 'number' ? { code } : {}),
    message: message ?? '',
  };
}

/** Returns the traffic of a request, and the timestamps of the steps that it reached. */
function toTraceData(record: RequestRecord, toWall: (ns: number) => bigint): TraceData {
  const { trace, traffic } = record;
  const timestamps: Readonly<Record<string, number | undefined>> = {
    connection_pool_wait_start_ns: trace.startNs,
    connection_pool_wait_end_ns: trace.blockedEndNs,
    dns_lookup_start_ns: trace.lookupStartNs,
    dns_lookup_end_ns: trace.lookupEndNs,
    tcp_connect_start_ns: trace.connectStartNs,
    tcp_connect_end_ns: trace.connectEndNs,
    connection_reused_ns: record.connectionReused ? trace.blockedEndNs : undefined,
    request_send_start_ns: trace.sendStartNs,
    request_send_end_ns: trace.sendEndNs,
    response_receive_start_ns: trace.firstByteNs,
    response_receive_end_ns: trace.lastByteNs,
    error_timestamp_ns: record.failure ? record.endNs : undefined,
  };
  const reachedSteps = Object.entries(timestamps).flatMap(([name, ns]) =>
    ns === undefined ? [] : [[name, toWall(ns)]],
  );
  return {
    trace_type: 'undici',
    ...Object.fromEntries(reachedSteps),
    request_bytes_total: traffic.requestBytes,
    ...(record.status === undefined ? {} : { response_status_code: record.status }),
    response_chunks_count: traffic.reads,
    response_bytes_total: traffic.responseBytes,
  };
}
