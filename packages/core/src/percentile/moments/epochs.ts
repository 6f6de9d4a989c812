import type { Intervals } from '../intervals.ts';

/** Intervals from `from` up to but not including `to`. */
export interface Epoch {
  readonly from: number;
  readonly to: number;
}

/** An epoch has at least so many intervals: fewer cannot carry a model of their own. */
const MIN_INTERVALS = 6;
/** A run is halved at most so many times over. */
const MAX_DEPTH = 4;
/** So many places of a cut are compared in each step. */
const CANDIDATES = 64;
/** How far the likelihood must exceed what chance gives before a cut is believed. */
const STRICTNESS = 1.5;
/** Rows between two for which running counts are kept: some kilobytes for an hour, where all rows would be megabytes. */
const KEPT_ROWS = 32;

/**
 * Cuts a run where its distribution over the buckets changes (load steps, growing queues): each epoch then gets means
 * and densities of its own. Binary segmentation by the likelihood ratio of two multinomials against one; a steady run
 * stays whole.
 */
export function epochsOf(intervals: Intervals, buckets: number): Epoch[] {
  const running = new RunningCounts(intervals, buckets);
  const epochs: Epoch[] = [];
  const divide = (from: number, to: number, depth: number): void => {
    const cut = depth < MAX_DEPTH ? bestCut(running, from, to) : null;
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

/** How many observations there were in each bucket before a row: kept for every so many rows, counted on from there. */
class RunningCounts {
  readonly #intervals: Intervals;
  readonly #kept: Float64Array[] = [];

  constructor(intervals: Intervals, buckets: number) {
    this.#intervals = intervals;
    const counts = new Float64Array(buckets);
    for (let row = 0; row <= intervals.rows; row += KEPT_ROWS) {
      this.#kept.push(counts.slice());
      this.#add(counts, row, Math.min(row + KEPT_ROWS, intervals.rows));
    }
  }

  /** By bucket. */
  before(row: number): Float64Array {
    const kept = Math.floor(row / KEPT_ROWS);
    const counts = this.#kept[kept]!.slice();
    this.#add(counts, kept * KEPT_ROWS, row);
    return counts;
  }

  #add(counts: Float64Array, from: number, to: number): void {
    const { start, bucket, count } = this.#intervals;
    for (let at = start[from]!; at < start[to]!; at += 1) counts[bucket[at]!]! += count[at]!;
  }
}

function bestCut(running: RunningCounts, from: number, to: number): number | null {
  const first = from + MIN_INTERVALS;
  const last = to - MIN_INTERVALS;
  if (last < first) return null;
  const start = running.before(from);
  const end = running.before(to);
  const whole = logLikelihood(start, end);
  const step = Math.max((last - first) / (CANDIDATES - 1), 1);
  let best = Number.NEGATIVE_INFINITY;
  let cut = first;
  for (let place = first; place <= last; place += step) {
    const at = Math.trunc(place);
    const middle = running.before(at);
    const before = logLikelihood(start, middle);
    const after = logLikelihood(middle, end);
    const gain = 2 * (before.value + after.value - whole.value);
    if (gain > best) [best, cut] = [gain, at];
  }
  const freedom = whole.active - 1;
  const chance =
    freedom + 3 * Math.sqrt(2 * freedom) + 2 * Math.log(Math.min(CANDIDATES, last - first + 1)) + 4;
  return freedom > 0 && best >= STRICTNESS * chance ? cut : null;
}

/** Of the multinomial that fits best what was counted between two rows, less terms that cancel out. */
function logLikelihood(from: Float64Array, to: Float64Array): { value: number; active: number } {
  let value = 0;
  let observations = 0;
  let active = 0;
  for (let bucket = 0; bucket < to.length; bucket += 1) {
    const count = to[bucket]! - from[bucket]!;
    if (count <= 0) continue;
    value += count * Math.log(count);
    observations += count;
    active += 1;
  }
  if (observations > 0) value -= observations * Math.log(observations);
  return { value, active };
}
