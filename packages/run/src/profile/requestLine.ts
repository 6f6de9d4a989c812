import type { ProfileRecord, TraceData } from '@org/formats';
import {
  type EndedRequest,
  type Failure,
  type RequestMetrics,
  type RequestRecord,
  toWallNs,
} from '@org/loadgen';

/** One request as a line of profile_export.jsonl. `originNs`: wall time of the run's origin. Reference, section B5. */
export function requestLine(record: RequestRecord, metrics: RequestMetrics, originNs: bigint): ProfileRecord {
  const at = (ns: number): bigint => toWallNs(originNs, ns);
  const maybe = (ns: number | undefined): bigint | null => (ns === undefined ? null : at(ns));
  const { failure } = record;
  return {
    metadata: {
      session_num: record.session,
      x_request_id: record.requestId,
      x_correlation_id: record.correlationId,
      conversation_id: record.conversationId,
      turn_index: record.turn,
      credit_issued_ns: at(record.intendedNs),
      request_start_ns: at(record.startNs),
      request_ack_ns: maybe(record.trace.firstByteNs),
      request_end_ns: at(record.endNs),
      worker_id: record.workerId,
      // AIPerf's readers want one; here the process that writes the line is the only one.
      record_processor_id: 'record_processor_0',
      benchmark_phase: record.phase,
      was_cancelled: record.cancelled,
      ...(record.cancelledNs === undefined ? {} : { cancellation_time_ns: at(record.cancelledNs) }),
      ...(record.missingEndMarker ? { stream_finished: false } : {}),
    },
    metrics,
    trace_data: traceData(record, at),
    error: failure ? { code: failure.code ?? null, type: failure.type, message: failure.message } : null,
  };
}

/**
 * What metrics need of a request, out of its line; times are ns since `originNs`. The last content is where its latency ends,
 * to the ns: latencies are whole ns, printed in ms with all their digits.
 */
export function endedRequest({ metadata, metrics, error }: ProfileRecord, originNs: bigint): EndedRequest {
  const at = (ns: number | bigint): number => Number(BigInt(ns) - originNs);
  const startNs = at(metadata.request_start_ns);
  const latencyMs = metrics?.request_latency?.value;
  return {
    startNs,
    endNs: at(metadata.request_end_ns),
    lastTokenNs: typeof latencyMs === 'number' ? startNs + Math.round(latencyMs * 1e6) : undefined,
    failure: error ? failureOf(error) : undefined,
  };
}

function failureOf({ type, code, message }: NonNullable<ProfileRecord['error']>): Failure {
  return {
    type: (type ?? 'Other') as Failure['type'],
    ...(code === null || code === undefined ? {} : { code }),
    message: message ?? '',
  };
}

/** What happened, and when; steps that did not happen are left out. */
function traceData(record: RequestRecord, at: (ns: number) => bigint): TraceData {
  const { trace, traffic } = record;
  const moments: Readonly<Record<string, number | undefined>> = {
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
  const known = Object.entries(moments).flatMap(([name, ns]) => (ns === undefined ? [] : [[name, at(ns)]]));
  return {
    trace_type: 'undici',
    ...Object.fromEntries(known),
    request_bytes_total: traffic.requestBytes,
    ...(record.status === undefined ? {} : { response_status_code: record.status }),
    response_chunks_count: traffic.reads,
    response_bytes_total: traffic.responseBytes,
  };
}
