import { CURVE, CURVE_COUNT, type CurveName, type Steps } from './curves.ts';
import type { LoadCurves } from './loadCurves.ts';
import { type WeightedStats, WeightedValues } from './weightedValues.ts';

/** A range of time, in ns since the run's origin. */
export interface TimeRange {
  readonly startNs: number;
  readonly endNs: number;
}

/** A metric that is weighted by time: the values of a curve, each with the time that it was held. */
interface TimeMetric {
  readonly tag: string;
  readonly unit: string;
  readonly curve: CurveName;
  /** The curve that the values are divided by; they are 0 while it is 0. */
  readonly divisor?: CurveName;
  /** The curve that must be above 0; other times are ignored. */
  readonly whileActive?: CurveName;
}

const RATE = 'tokens/sec';
const PER_USER = 'tokens/sec/user';

/** The metric of a run without streaming. The other metrics need the time of the first token. */
const CONCURRENCY: TimeMetric = { tag: 'effective_concurrency', unit: 'requests', curve: 'concurrency' };

const STREAM_METRICS: readonly TimeMetric[] = [
  { tag: 'effective_decode_throughput', unit: RATE, curve: 'decodeRate' },
  { tag: 'effective_prefill_throughput', unit: RATE, curve: 'prefillRate' },
  { tag: 'effective_decode_concurrency', unit: 'requests', curve: 'decodeConcurrency' },
  { tag: 'effective_prefill_concurrency', unit: 'requests', curve: 'prefillConcurrency' },
  { tag: 'effective_total_throughput', unit: RATE, curve: 'totalRate' },
  {
    tag: 'effective_decode_throughput_per_user',
    unit: PER_USER,
    curve: 'decodeRate',
    divisor: 'decodeConcurrency',
  },
  {
    tag: 'effective_prefill_throughput_per_user',
    unit: PER_USER,
    curve: 'prefillRate',
    divisor: 'prefillConcurrency',
  },
  { tag: 'tokens_in_flight', unit: 'tokens', curve: 'tokens' },
  { tag: 'active_decode_throughput', unit: RATE, curve: 'decodeRate', whileActive: 'decodeConcurrency' },
  { tag: 'active_prefill_throughput', unit: RATE, curve: 'prefillRate', whileActive: 'prefillConcurrency' },
  {
    tag: 'active_decode_throughput_per_user',
    unit: PER_USER,
    curve: 'decodeRate',
    divisor: 'decodeConcurrency',
    whileActive: 'decodeConcurrency',
  },
  {
    tag: 'active_prefill_throughput_per_user',
    unit: PER_USER,
    curve: 'prefillRate',
    divisor: 'prefillConcurrency',
    whileActive: 'prefillConcurrency',
  },
  { tag: 'active_total_throughput', unit: RATE, curve: 'totalRate', whileActive: 'concurrency' },
];

/** The block of a metric that is weighted by time. It has no count and no sum. */
export type TimeBlock = { readonly unit: string } & WeightedStats;

/** Computes the metrics that are weighted by time for each range. Ranges are in order and do not overlap. */
export function computeTimeBlocks(
  curves: LoadCurves,
  ranges: readonly TimeRange[],
  streaming: boolean,
): Record<string, TimeBlock>[] {
  const steps = curves.sortSteps();
  const results: Record<string, TimeBlock>[] = ranges.map(() => ({}));
  for (const metric of streaming ? [CONCURRENCY, ...STREAM_METRICS] : [CONCURRENCY])
    computeStats(steps, ranges, metric).forEach((stats, index) => {
      results[index]![metric.tag] = { unit: metric.unit, ...stats };
    });
  return results;
}

/** Computes one metric in each range. One metric at a time needs the least memory. */
function computeStats(
  steps: Steps,
  ranges: readonly TimeRange[],
  { curve, divisor, whileActive }: TimeMetric,
): WeightedStats[] {
  const stats: WeightedStats[] = [];
  const held = new WeightedValues();
  const add = (values: Float64Array, durationNs: number): void => {
    if (whileActive !== undefined && !(values[CURVE[whileActive]]! > 0)) return;
    const value = values[CURVE[curve]]!;
    const by = divisor === undefined ? 1 : values[CURVE[divisor]]!;
    held.add(by > 0 ? value / by : 0, durationNs);
  };
  visitSegments(steps, (values, startNs, endNs) => {
    for (let range = ranges[stats.length]; range && range.startNs < endNs; range = ranges[stats.length]) {
      const durationNs = Math.min(endNs, range.endNs) - Math.max(startNs, range.startNs);
      if (durationNs > 0) add(values, durationNs);
      if (range.endNs > endNs) break;
      stats.push(held.takeStats());
    }
  });
  return stats;
}

/** Values below this fraction of the maximum of their curve are rounding errors of sums. */
const ROUNDING = 1e-9;

/** Calls `visit` with the values of all curves from one change to the next, for all time. */
function visitSegments(
  steps: Steps,
  visit: (values: Float64Array, startNs: number, endNs: number) => void,
): void {
  const values = new Float64Array(CURVE_COUNT);
  const maxima = new Float64Array(CURVE_COUNT);
  let startNs = Number.NEGATIVE_INFINITY;
  steps((timeNs, changes) => {
    if (timeNs > startNs) visit(values, startNs, timeNs);
    startNs = timeNs;
    for (let curve = 0; curve < CURVE_COUNT; curve++) {
      const value = values[curve]! + changes[curve]!;
      if (value > maxima[curve]!) maxima[curve] = value;
      values[curve] = Math.abs(value) < ROUNDING * maxima[curve]! ? 0 : value;
    }
  });
  visit(values, startNs, Number.POSITIVE_INFINITY);
}
