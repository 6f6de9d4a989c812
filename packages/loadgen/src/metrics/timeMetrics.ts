import { CURVE, CURVE_COUNT, type CurveName, type Steps } from './curves.ts';
import type { LoadCurves } from './loadCurves.ts';
import { NumberColumn } from './numberColumn.ts';
import { type WeightedStats, WeightedValues } from './weightedValues.ts';

/** A range of time, in ns since the run's origin. */
export interface TimeRange {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * The value of a metric at one time, given the value of a curve and the number of users, which are the requests that
 * the curve describes. NaN if the time is ignored.
 */
type TimeValue = (value: number, users: number) => number;

const readValue: TimeValue = value => value;
const readUsers: TimeValue = (_, users) => users;
const dividePerUser: TimeValue = (value, users) => (users > 0 ? value / users : 0);
const readActive: TimeValue = (value, users) => (users > 0 ? value : Number.NaN);
const divideActive: TimeValue = (value, users) => (users > 0 ? value / users : Number.NaN);

/** Metrics of the same curves, which are computed together. */
interface MetricGroup {
  readonly curve: CurveName;
  readonly users: CurveName;
  readonly metrics: readonly (readonly [tag: string, unit: string, toValue: TimeValue])[];
}

/** The metric of every run. The other metrics need the time of the first token. */
const CONCURRENCY = ['effective_concurrency', 'requests', readUsers] as const;

const TOTAL: MetricGroup = {
  curve: 'totalRate',
  users: 'concurrency',
  metrics: [
    CONCURRENCY,
    ['effective_total_throughput', 'tokens/sec', readValue],
    ['active_total_throughput', 'tokens/sec', readActive],
  ],
};

const STREAM_GROUPS: readonly MetricGroup[] = [
  TOTAL,
  createGroup('decode', 'decodeRate', 'decodeConcurrency'),
  createGroup('prefill', 'prefillRate', 'prefillConcurrency'),
  { curve: 'tokens', users: 'concurrency', metrics: [['tokens_in_flight', 'tokens', readValue]] },
];

function createGroup(stage: string, curve: CurveName, users: CurveName): MetricGroup {
  return {
    curve,
    users,
    metrics: [
      [`effective_${stage}_concurrency`, 'requests', readUsers],
      [`effective_${stage}_throughput`, 'tokens/sec', readValue],
      [`effective_${stage}_throughput_per_user`, 'tokens/sec/user', dividePerUser],
      [`active_${stage}_throughput`, 'tokens/sec', readActive],
      [`active_${stage}_throughput_per_user`, 'tokens/sec/user', divideActive],
    ],
  };
}

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
  const held = new WeightedValues();
  // One group at a time needs less memory than all curves.
  for (const { curve, users, metrics } of streaming
    ? STREAM_GROUPS
    : [{ ...TOTAL, metrics: [CONCURRENCY] }]) {
    const segments = new Segments(steps, ranges, CURVE[curve], CURVE[users]);
    for (const [tag, unit, toValue] of metrics)
      results.forEach((blocks, range) => {
        segments.addTo(held, range, toValue);
        blocks[tag] = { unit, ...held.takeStats() };
      });
  }
  return results;
}

/** The values of two curves in each range, from one change to the next. */
class Segments {
  readonly #durations = new NumberColumn();
  readonly #values = new NumberColumn();
  readonly #users = new NumberColumn();
  /** The end of the segments of each range. */
  readonly #ends: number[] = [];

  constructor(steps: Steps, ranges: readonly TimeRange[], curve: number, users: number) {
    visitSegments(steps, (values, startNs, endNs) => {
      for (;;) {
        const range = ranges[this.#ends.length];
        if (!range || range.startNs >= endNs) return;
        this.#add(
          Math.min(endNs, range.endNs) - Math.max(startNs, range.startNs),
          values[curve]!,
          values[users]!,
        );
        if (range.endNs > endNs) return;
        this.#ends.push(this.#durations.length);
      }
    });
  }

  /** Adds the values of a metric in a range. */
  addTo(held: WeightedValues, range: number, toValue: TimeValue): void {
    const end = this.#ends[range]!;
    for (let index = this.#ends[range - 1] ?? 0; index < end; index++) {
      const value = toValue(this.#values.get(index), this.#users.get(index));
      if (!Number.isNaN(value)) held.add(value, this.#durations.get(index));
    }
  }

  #add(durationNs: number, value: number, users: number): void {
    if (!(durationNs > 0)) return;
    this.#durations.push(durationNs);
    this.#values.push(value);
    this.#users.push(users);
  }
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
      const change = changes[curve]!;
      if (change === 0) continue;
      const value = values[curve]! + change;
      if (value > maxima[curve]!) maxima[curve] = value;
      values[curve] = Math.abs(value) < ROUNDING * maxima[curve]! ? 0 : value;
    }
  });
  visit(values, startNs, Number.POSITIVE_INFINITY);
}
