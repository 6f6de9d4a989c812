import type { CurveName, Steps } from './curves.ts';
import type { LoadCurves } from './loadCurves.ts';
import { computeWeightedStats, type WeightedStats } from './weightedStats.ts';

/** A range of time, in ns since the run's origin. */
export interface TimeRange {
  readonly startNs: number;
  readonly endNs: number;
}

/** The values that a metric describes: of its curve, of its users, or of the curve per user. */
type Source = 'curve' | 'users' | 'perUser';

/** A metric of a group. `activeOnly` excludes times without users. */
type Metric = readonly [tag: string, unit: string, source: Source, activeOnly?: 'activeOnly'];

/** Metrics of a curve. Its users are the requests that the curve describes. */
interface MetricGroup {
  readonly curve: CurveName;
  readonly users: CurveName;
  readonly metrics: readonly Metric[];
}

/** The metric of every run. The other metrics need the time of the first token. */
const CONCURRENCY: Metric = ['effective_concurrency', 'requests', 'users'];

const TOTAL: MetricGroup = {
  curve: 'totalRate',
  users: 'concurrency',
  metrics: [
    CONCURRENCY,
    ['effective_total_throughput', 'tokens/sec', 'curve'],
    ['active_total_throughput', 'tokens/sec', 'curve', 'activeOnly'],
  ],
};

const STREAM_GROUPS: readonly MetricGroup[] = [
  TOTAL,
  createGroup('decode', 'decodeRate', 'decodeConcurrency'),
  createGroup('prefill', 'prefillRate', 'prefillConcurrency'),
  { curve: 'tokens', users: 'concurrency', metrics: [['tokens_in_flight', 'tokens', 'curve']] },
];

function createGroup(stage: string, curve: CurveName, users: CurveName): MetricGroup {
  return {
    curve,
    users,
    metrics: [
      [`effective_${stage}_concurrency`, 'requests', 'users'],
      [`effective_${stage}_throughput`, 'tokens/sec', 'curve'],
      [`effective_${stage}_throughput_per_user`, 'tokens/sec/user', 'perUser'],
      [`active_${stage}_throughput`, 'tokens/sec', 'curve', 'activeOnly'],
      [`active_${stage}_throughput_per_user`, 'tokens/sec/user', 'perUser', 'activeOnly'],
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
  const windows = ranges.map(range => createWindow(steps.times, range));
  const results: Record<string, TimeBlock>[] = ranges.map(() => ({}));
  const arrays = createArrays(steps.times.length + 1);
  // One group at a time needs less memory than all curves.
  for (const group of streaming ? STREAM_GROUPS : [{ ...TOTAL, metrics: [CONCURRENCY] }]) {
    fillArrays(arrays, steps, group);
    windows.forEach((window, range) => {
      Object.assign(results[range]!, computeGroup(group, arrays, window));
    });
  }
  return results;
}

/**
 * The values of a group's metrics before the first step and after each step, and the weights of the times with users in
 * a range. All groups use the same arrays, because allocating them takes as long as filling them.
 */
type Arrays = Readonly<Record<Source | 'activeWeights', Float64Array>>;

function createArrays(length: number): Arrays {
  const create = (): Float64Array => new Float64Array(length);
  return { curve: create(), users: create(), perUser: create(), activeWeights: create() };
}

function fillArrays(arrays: Arrays, steps: Steps, { curve, users, metrics }: MetricGroup): void {
  const needs = (source: Source): boolean => metrics.some(metric => metric[2] === source);
  if (needs('curve')) steps.accumulate(curve, arrays.curve);
  if (needs('users') || metrics.some(isActiveOnly)) steps.accumulate(users, arrays.users);
  if (needs('perUser')) dividePerUser(arrays);
}

function isActiveOnly([, , , activeOnly]: Metric): boolean {
  return activeOnly !== undefined;
}

/** Divides the values of the curve by the number of users; 0 without users. */
function dividePerUser({ curve, users, perUser }: Arrays): void {
  for (let step = 0; step < perUser.length; step++)
    perUser[step] = users[step]! > 0 ? curve[step]! / users[step]! : 0;
}

function computeGroup({ metrics }: MetricGroup, arrays: Arrays, window: Window): Record<string, TimeBlock> {
  const { from, weights } = window;
  if (metrics.some(isActiveOnly)) selectActive(arrays, window);
  const activeWeights = arrays.activeWeights.subarray(0, weights.length);
  return Object.fromEntries(
    metrics.map(([tag, unit, source, activeOnly]) => {
      const values = arrays[source].subarray(from, from + weights.length);
      return [tag, { unit, ...computeWeightedStats(values, activeOnly ? activeWeights : weights) }];
    }),
  );
}

/** Copies the weights of the times with users; 0 for others. */
function selectActive({ users, activeWeights }: Arrays, { from, weights }: Window): void {
  for (let index = 0; index < weights.length; index++)
    activeWeights[index] = users[from + index]! > 0 ? weights[index]! : 0;
}

/** A range of the steps: the first value in it, and the time that it and each later value are held in the range. */
interface Window {
  readonly from: number;
  readonly weights: Float64Array;
}

/** Value `i` is held from time `i - 1` to time `i`. */
function createWindow(times: Float64Array, { startNs, endNs }: TimeRange): Window {
  const from = findFirst(times, timeNs => timeNs > startNs);
  const count = endNs > startNs ? findFirst(times, timeNs => timeNs >= endNs) - from + 1 : 0;
  const weights = new Float64Array(count);
  let heldFromNs = startNs;
  for (let index = 0; index < count; index++) {
    const heldToNs = index === count - 1 ? endNs : times[from + index]!;
    weights[index] = heldToNs - heldFromNs;
    heldFromNs = heldToNs;
  }
  return { from, weights };
}

/** Returns the index of the first time that matches, by binary search; the number of times if none does. */
function findFirst(times: Float64Array, matches: (timeNs: number) => boolean): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(times[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
