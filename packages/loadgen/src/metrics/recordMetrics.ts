import { PIECE_OUTPUT_SAME_CHUNK } from '../response/responseContent.ts';
import { HTTP_METRICS } from './httpMetrics.ts';
import { divide, type Measurements, measureMs, type RecordMetric } from './measure.ts';
import { SPECULATION_METRICS } from './speculationMetrics.ts';
import { USAGE_METRICS } from './usageMetrics.ts';

const PER_USER = 'tokens/sec/user';

/** Metrics of streamed requests only. */
const STREAM_METRICS: readonly RecordMetric[] = [
  { tag: 'time_to_first_token', unit: 'ms', compute: ({ firstTokenMs }) => firstTokenMs },
  {
    tag: 'time_to_second_token',
    unit: 'ms',
    // Chunks that arrived together have no measurable gap; see `coalesced_chunk_share`.
    compute: measurements => computeGaps(measurements)?.[0] || undefined,
  },
  {
    tag: 'time_to_first_output_token',
    unit: 'ms',
    compute: ({ record }) => measureMs(record.startNs, record.firstOutputNs),
  },
  {
    // From the first content to the last.
    tag: 'decode_duration',
    unit: 'ms',
    compute: ({ record }) => measureMs(record.firstTokenNs, record.lastTokenNs),
  },
  { tag: 'inter_token_latency', usesTokens: true, unit: 'ms', compute: ({ interTokenMs }) => interTokenMs },
  { tag: 'inter_chunk_latency', unit: 'ms', compute: computeGaps },
  {
    tag: 'output_token_throughput_per_user',
    usesTokens: true,
    unit: PER_USER,
    moreIsBetter: true,
    compute: ({ interTokenMs }) => divide(1000, interTokenMs),
  },
  {
    tag: 'prefill_throughput_per_user',
    usesTokens: true,
    unit: PER_USER,
    moreIsBetter: true,
    compute: ({ inputTokens, firstTokenMs }) => divide(inputTokens && inputTokens * 1000, firstTokenMs),
  },
  {
    tag: 'stream_setup_latency',
    unit: 'ms',
    compute: ({ record }) => measureMs(record.startNs, record.trace.firstByteNs),
  },
  {
    tag: 'stream_prefill_latency',
    unit: 'ms',
    compute: ({ record }) => measureMs(record.trace.firstByteNs, record.firstTokenNs),
  },
];

/** Metrics of all requests. */
const COMMON_METRICS: readonly RecordMetric[] = [
  { tag: 'request_latency', unit: 'ms', compute: ({ latencyMs }) => latencyMs },
  {
    tag: 'e2e_output_token_throughput',
    usesTokens: true,
    unit: PER_USER,
    moreIsBetter: true,
    compute: ({ outputLength, latencyMs }) =>
      outputLength === undefined ? undefined : divide(outputLength * 1000, latencyMs),
  },
  {
    tag: 'output_token_count',
    usesTokens: true,
    unit: 'tokens',
    compute: ({ outputTokens }) => outputTokens,
  },
  {
    tag: 'reasoning_token_count',
    usesTokens: true,
    unit: 'tokens',
    compute: ({ reasoningTokens }) => reasoningTokens,
  },
  {
    tag: 'output_sequence_length',
    usesTokens: true,
    unit: 'tokens',
    compute: ({ outputLength, generatesText }) => (generatesText ? outputLength : 0),
  },
  {
    tag: 'input_sequence_length',
    usesTokens: true,
    unit: 'tokens',
    compute: ({ inputTokens }) => inputTokens,
  },
  {
    tag: 'thinking_efficiency',
    usesTokens: true,
    unit: 'ratio',
    compute: ({ reasoningTokens, outputLength }) => divide(reasoningTokens, outputLength),
  },
  ...USAGE_METRICS,
  ...SPECULATION_METRICS,
  { tag: 'requested_osl', unit: 'tokens', compute: ({ requestedOutput }) => requestedOutput },
  {
    // Negative if the response was shorter than requested.
    tag: 'osl_mismatch_diff_pct',
    usesTokens: true,
    unit: '%',
    compute: ({ requestedOutput, outputLength }) =>
      outputLength === undefined || !requestedOutput
        ? undefined
        : ((outputLength - requestedOutput) / requestedOutput) * 100,
  },
  {
    tag: 'credit_drop_latency',
    unit: 'ms',
    compute: ({ record }) => measureMs(record.intendedNs, record.startNs),
  },
  ...HTTP_METRICS,
];

/** Returns the metrics of streamed requests, or of non-streamed requests. */
export function listRecordMetrics(streaming: boolean): readonly RecordMetric[] {
  return streaming ? [...STREAM_METRICS, ...COMMON_METRICS] : COMMON_METRICS;
}

/** Returns the gaps between chunks, in ms; undefined if there are none. Pieces of the same chunk have no gap. */
function computeGaps({ record: { arrivals } }: Measurements): number[] | undefined {
  const { timesNs, kinds } = arrivals;
  const gaps: number[] = [];
  for (let piece = 1; piece < timesNs.length; piece++)
    if (kinds[piece] !== PIECE_OUTPUT_SAME_CHUNK) gaps.push((timesNs[piece]! - timesNs[piece - 1]!) / 1e6);
  return gaps.length === 0 ? undefined : gaps;
}
