import { PIECE_OUTPUT_TOO } from '../response/responseContent.ts';
import { HTTP_METRICS } from './httpMetrics.ts';
import { type Measure, msBetween, ratio } from './measure.ts';
import type { RecordMetric } from './recordMetric.ts';
import { USAGE_METRICS } from './usageMetrics.ts';

const PER_USER = 'tokens/sec/user';

/** Those that only a stream has. */
const STREAM_METRICS: readonly RecordMetric[] = [
  { tag: 'time_to_first_token', unit: 'ms', of: ({ firstTokenMs }) => firstTokenMs },
  {
    tag: 'time_to_second_token',
    unit: 'ms',
    of: measure => gaps(measure)?.[0],
  },
  {
    tag: 'time_to_first_output_token',
    unit: 'ms',
    of: ({ record }) =>
      record.endpoint === 'chat' ? msBetween(record.startNs, record.firstOutputNs) : undefined,
  },
  { tag: 'inter_token_latency', unit: 'ms', of: ({ interTokenMs }) => interTokenMs },
  { tag: 'inter_chunk_latency', unit: 'ms', of: gaps },
  {
    tag: 'output_token_throughput_per_user',
    unit: PER_USER,
    moreIsBetter: true,
    of: ({ interTokenMs }) => ratio(1000, interTokenMs),
  },
  {
    tag: 'prefill_throughput_per_user',
    unit: PER_USER,
    moreIsBetter: true,
    of: ({ inputTokens, firstTokenMs }) => ratio(inputTokens && inputTokens * 1000, firstTokenMs),
  },
  {
    tag: 'stream_setup_latency',
    unit: 'ms',
    of: ({ record }) => msBetween(record.startNs, record.trace.firstByteNs),
  },
  {
    tag: 'stream_prefill_latency',
    unit: 'ms',
    of: ({ record }) => msBetween(record.trace.firstByteNs, record.firstTokenNs),
  },
];

const ALL_METRICS: readonly RecordMetric[] = [
  { tag: 'request_latency', unit: 'ms', of: ({ latencyMs }) => latencyMs },
  {
    tag: 'e2e_output_token_throughput',
    unit: PER_USER,
    moreIsBetter: true,
    of: ({ outputLength, latencyMs }) =>
      outputLength === undefined ? undefined : ratio(outputLength * 1000, latencyMs),
  },
  { tag: 'output_token_count', unit: 'tokens', of: ({ outputTokens }) => outputTokens },
  { tag: 'reasoning_token_count', unit: 'tokens', of: ({ reasoningTokens }) => reasoningTokens },
  { tag: 'output_sequence_length', unit: 'tokens', of: ({ outputLength }) => outputLength },
  { tag: 'input_sequence_length', unit: 'tokens', of: ({ inputTokens }) => inputTokens },
  {
    tag: 'thinking_efficiency',
    unit: 'ratio',
    of: ({ reasoningTokens, outputLength }) => ratio(reasoningTokens, outputLength),
  },
  ...USAGE_METRICS,
  { tag: 'requested_osl', unit: 'tokens', of: ({ record }) => record.requestedOutput },
  {
    // Negative when the answer was shorter than asked for.
    tag: 'osl_mismatch_diff_pct',
    unit: '%',
    of: ({ record: { requestedOutput }, outputLength }) =>
      outputLength === undefined || !requestedOutput
        ? undefined
        : ((outputLength - requestedOutput) / requestedOutput) * 100,
  },
  {
    tag: 'credit_drop_latency',
    unit: 'ms',
    of: ({ record }) => msBetween(record.intendedNs, record.startNs),
  },
  ...HTTP_METRICS,
];

/** The metrics that requests of this kind can have. */
export function recordMetrics(streaming: boolean): readonly RecordMetric[] {
  return streaming ? [...STREAM_METRICS, ...ALL_METRICS] : ALL_METRICS;
}

/** Between chunks; what came in one chunk came at once. */
function gaps({ record: { arrivals } }: Measure): number[] | undefined {
  const { timesNs, kinds } = arrivals;
  const found: number[] = [];
  for (let at = 1; at < timesNs.length; at++)
    if (kinds[at] !== PIECE_OUTPUT_TOO) found.push((timesNs[at]! - timesNs[at - 1]!) / 1e6);
  return found.length === 0 ? undefined : found;
}
