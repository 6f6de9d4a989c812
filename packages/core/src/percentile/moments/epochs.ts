import type { Intervals } from '../intervals.ts';

/** A part of a run with a steady distribution: the intervals from `from` up to but excluding `to`. */
export interface Epoch {
  readonly from: number;
  readonly to: number;
}

/** Minimum number of intervals in an epoch. With fewer intervals, a model cannot be fitted. */
const MIN_INTERVALS = 6;
/** Maximum depth of recursive splits. */
const MAX_DEPTH = 4;
/** Maximum number of candidate positions for each split. */
const MAX_CANDIDATES = 64;
/** Minimum likelihood gain of a split, as a multiple of the gain that chance can explain. */
const MIN_GAIN_RATIO = 1.5;
/**
 * Number of rows between stored cumulative counts. Storing all rows of an hour would take megabytes instead
 * of kilobytes.
 */
const STORED_ROW_STEP = 32;

/**
 * Splits a run where its distribution over the buckets changes (load steps, growing queues), so that means
 * and densities are fitted for each epoch. Uses binary segmentation by the likelihood ratio of two
 * multinomials to one; a steady run is not split.
 */
export function findEpochs(intervals: Intervals, buckets: number): Epoch[] {
  const cumulative = new CumulativeCounts(intervals, buckets);
  const epochs: Epoch[] = [];
  const split = (from: number, to: number, depth: number): void => {
    const position = depth < MAX_DEPTH ? findBestSplit(cumulative, from, to) : null;
    if (position === null) {
      epochs.push({ from, to });
      return;
    }
    split(from, position, depth + 1);
    split(position, to, depth + 1);
  };
  split(0, intervals.rows, 0);
  return epochs;
}

/** Cumulative bucket counts by row. Counts are stored every `STORED_ROW_STEP` rows and computed for other rows. */
class CumulativeCounts {
  readonly #intervals: Intervals;
  readonly #stored: Float64Array[] = [];

  constructor(intervals: Intervals, buckets: number) {
    this.#intervals = intervals;
    const counts = new Float64Array(buckets);
    for (let row = 0; row <= intervals.rows; row += STORED_ROW_STEP) {
      this.#stored.push(counts.slice());
      this.#add(counts, row, Math.min(row + STORED_ROW_STEP, intervals.rows));
    }
  }

  /** Counts the observations before a row, by bucket. */
  countBefore(row: number): Float64Array {
    const index = Math.floor(row / STORED_ROW_STEP);
    const counts = this.#stored[index]!.slice();
    this.#add(counts, index * STORED_ROW_STEP, row);
    return counts;
  }

  #add(counts: Float64Array, from: number, to: number): void {
    const { start, bucket, count } = this.#intervals;
    for (let at = start[from]!; at < start[to]!; at += 1) counts[bucket[at]!]! += count[at]!;
  }
}

/** Finds the row at which a split gains the most likelihood; null if the gain may be due to chance. */
function findBestSplit(cumulative: CumulativeCounts, from: number, to: number): number | null {
  const first = from + MIN_INTERVALS;
  const last = to - MIN_INTERVALS;
  if (last < first) return null;
  const start = cumulative.countBefore(from);
  const end = cumulative.countBefore(to);
  const unsplit = computeLogLikelihood(start, end);
  const step = Math.max((last - first) / (MAX_CANDIDATES - 1), 1);
  let best = Number.NEGATIVE_INFINITY;
  let position = first;
  for (let candidate = first; candidate <= last; candidate += step) {
    const at = Math.trunc(candidate);
    const middle = cumulative.countBefore(at);
    const before = computeLogLikelihood(start, middle);
    const after = computeLogLikelihood(middle, end);
    const gain = 2 * (before.value + after.value - unsplit.value);
    if (gain > best) [best, position] = [gain, at];
  }
  const degreesOfFreedom = unsplit.active - 1;
  const threshold =
    degreesOfFreedom +
    3 * Math.sqrt(2 * degreesOfFreedom) +
    2 * Math.log(Math.min(MAX_CANDIDATES, last - first + 1)) +
    4;
  return degreesOfFreedom > 0 && best >= MIN_GAIN_RATIO * threshold ? position : null;
}

/**
 * Computes the maximum log-likelihood of a multinomial distribution for the counts between two rows, without
 * terms that cancel out, and the number of buckets with observations.
 */
function computeLogLikelihood(from: Float64Array, to: Float64Array): { value: number; active: number } {
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
