import { ENDED_REQUEST_METRICS, type MetricBlock } from '@org/loadgen';
import type { Compatibility } from '@org/record';

type Blocks = Readonly<Record<string, MetricBlock>>;

/** Metrics over time that need the time of the first token, and their units. Without it, AIPerf writes zeros. */
const STREAM_METRICS: readonly (readonly [tag: string, unit: string])[] = [
  ['effective_decode_throughput', 'tokens/sec'],
  ['effective_prefill_throughput', 'tokens/sec'],
  ['effective_decode_concurrency', 'requests'],
  ['effective_prefill_concurrency', 'requests'],
  ['effective_total_throughput', 'tokens/sec'],
  ['effective_decode_throughput_per_user', 'tokens/sec/user'],
  ['effective_prefill_throughput_per_user', 'tokens/sec/user'],
  ['tokens_in_flight', 'tokens'],
  ['active_decode_throughput', 'tokens/sec'],
  ['active_prefill_throughput', 'tokens/sec'],
  ['active_decode_throughput_per_user', 'tokens/sec/user'],
  ['active_prefill_throughput_per_user', 'tokens/sec/user'],
  ['active_total_throughput', 'tokens/sec'],
];

const ZEROS = { avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, min: 0, max: 0, std: 0 };

/** Converts the metrics of a phase or a timeslice to the metrics of another program. */
export function convertBlocks(
  blocks: Readonly<Record<string, MetricBlock>>,
  compatibility: Compatibility | undefined,
): Readonly<Record<string, MetricBlock>> {
  return compatibility === 'aiperf-0.13' ? toAiperfBlocks(blocks) : blocks;
}

function toAiperfBlocks(blocks: Blocks): Blocks {
  const converted = Object.entries(blocks)
    .filter(([tag]) => !ENDED_REQUEST_METRICS.includes(tag))
    .map(([tag, block]) => [tag, toPopulation(block)]);
  const isMeasured = blocks.effective_concurrency !== undefined;
  return { ...(isMeasured ? createZeros() : {}), ...Object.fromEntries(converted) };
}

function createZeros(): Blocks {
  return Object.fromEntries(STREAM_METRICS.map(([tag, unit]) => [tag, { unit, ...ZEROS }]));
}

/** Converts the standard deviation of a sample to the one of the population. Metrics over time have no count. */
function toPopulation(block: MetricBlock): MetricBlock {
  const { std, count } = block as { readonly std?: number; readonly count?: number };
  if (std === undefined || !count) return block;
  return { ...block, std: std * Math.sqrt((count - 1) / count) };
}
