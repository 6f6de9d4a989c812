import type { Intervals } from '../intervals.ts';

/** Intervals from `from` up to but not including `to`. */
export interface Epoch {
  readonly from: number;
  readonly to: number;
}

/** An epoch has at least so many intervals and observations: fewer cannot carry a model of their own. */
const MIN_INTERVALS = 6;
const MIN_OBSERVATIONS = 40;
/** A run is halved at most so many times over. */
const MAX_DEPTH = 4;
/** So many places of a cut are compared in each step. */
const CANDIDATES = 64;
/** How far the likelihood must exceed what chance gives before a cut is believed. */
const STRICTNESS = 1.5;

/**
 * Cuts a run where its distribution over the buckets changes (load steps, growing queues): each epoch then gets means
 * and densities of its own. Binary segmentation by the likelihood ratio of two multinomials against one; a steady run
 * stays whole.
 */
export function epochsOf(intervals: Intervals, buckets: number): Epoch[] {
  const before = runningCounts(intervals, buckets);
  const epochs: Epoch[] = [];
  const divide = (from: number, to: number, depth: number): void => {
    const cut = depth < MAX_DEPTH ? bestCut(before, buckets, from, to) : null;
    if (cut === null) {
      epochs.push({ from, to });
      return;
    }
    divide(from, cut, depth + 1);
    divide(cut, to, depth + 1);
  };
  divide(0, intervals.rows, 0);
  return epochs;
}

// Work space, megabytes for an hour: windows are cut one at a time.
let running: Float64Array = new Float64Array(0);

/** Row by row, how many observations there were before it in each bucket; valid until the next call. */
function runningCounts({ rows, start, bucket, count }: Intervals, buckets: number): Float64Array {
  const length = (rows + 1) * buckets;
  if (running.length < length) running = new Float64Array(length);
  running.fill(0, 0, buckets);
  for (let row = 0; row < rows; row += 1) {
    const next = (row + 1) * buckets;
    for (let at = next; at < next + buckets; at += 1) running[at] = running[at - buckets]!;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) running[next + bucket[at]!]! += count[at]!;
  }
  return running;
}

function bestCut(running: Float64Array, buckets: number, from: number, to: number): number | null {
  const first = from + MIN_INTERVALS;
  const last = to - MIN_INTERVALS;
  if (last < first) return null;
  const whole = logLikelihood(running, buckets, from, to);
  const step = Math.max((last - first) / (CANDIDATES - 1), 1);
  let best = Number.NEGATIVE_INFINITY;
  let cut = first;
  for (let place = first; place <= last; place += step) {
    const at = Math.trunc(place);
    const before = logLikelihood(running, buckets, from, at);
    const after = logLikelihood(running, buckets, at, to);
    if (Math.min(before.observations, after.observations) < MIN_OBSERVATIONS) continue;
    const gain = 2 * (before.value + after.value - whole.value);
    if (gain > best) [best, cut] = [gain, at];
  }
  const freedom = whole.active - 1;
  const chance =
    freedom + 3 * Math.sqrt(2 * freedom) + 2 * Math.log(Math.min(CANDIDATES, last - first + 1)) + 4;
  return freedom > 0 && best >= STRICTNESS * chance ? cut : null;
}

/** Of the multinomial that fits the counts best, less terms that cancel out. */
function logLikelihood(
  running: Float64Array,
  buckets: number,
  from: number,
  to: number,
): { value: number; observations: number; active: number } {
  let value = 0;
  let observations = 0;
  let active = 0;
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const count = running[to * buckets + bucket]! - running[from * buckets + bucket]!;
    if (count <= 0) continue;
    value += count * Math.log(count);
    observations += count;
    active += 1;
  }
  if (observations > 0) value -= observations * Math.log(observations);
  return { value, observations, active };
}
