import { NumberColumn } from './numberColumn.ts';

/** The percentiles of a distribution that is weighted by time. */
export const WEIGHTED_PERCENTILES = [50, 90, 95, 99] as const;

/** Statistics of values that are weighted by time. `std` is the population standard deviation. */
export type WeightedStats = Readonly<
  Record<'avg' | 'min' | 'max' | 'std' | `p${(typeof WEIGHTED_PERCENTILES)[number]}`, number>
>;

const NO_TIME: WeightedStats = { avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, min: 0, max: 0, std: 0 };

/** Values, each with the time that it was held. */
export class WeightedValues {
  readonly #values = new NumberColumn();
  readonly #weights = new NumberColumn();
  #lastValue = Number.NaN;

  /** Adds a value with a positive weight. */
  add(value: number, weight: number): void {
    if (value === this.#lastValue) {
      this.#weights.addToLast(weight);
      return;
    }
    this.#lastValue = value;
    this.#values.push(value);
    this.#weights.push(weight);
  }

  /** Returns the statistics, all 0 without values, and removes the values. */
  takeStats(): WeightedStats {
    const stats =
      this.#values.length === 0 ? NO_TIME : computeStats(this.#values.values, this.#weights.values);
    this.#values.clear();
    this.#weights.clear();
    this.#lastValue = Number.NaN;
    return stats;
  }
}

/** Computes the statistics of values. Changes the order of both arrays. */
function computeStats(values: Float64Array, weights: Float64Array): WeightedStats {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let total = 0;
  let sum = 0;
  values.forEach((value, index) => {
    min = Math.min(min, value);
    max = Math.max(max, value);
    total += weights[index]!;
    sum += value * weights[index]!;
  });
  const avg = sum / total;
  const squares = values.reduce((all, value, index) => all + weights[index]! * (value - avg) ** 2, 0);
  const percentiles = WEIGHTED_PERCENTILES.map(percentile => [
    `p${percentile}`,
    selectWeighted(values, weights, percentile / 100, total),
  ]);
  return { avg, ...Object.fromEntries(percentiles), min, max, std: Math.sqrt(squares / total) };
}

/**
 * Returns the smallest value that, together with all smaller ones, has at least a fraction `q` of the total weight.
 * Partitions the arrays around pivots (Hoare, "Algorithm 65: Find", CACM 4, 1961) instead of sorting them.
 */
export function selectWeighted(
  values: Float64Array,
  weights: Float64Array,
  q: number,
  total: number,
): number {
  let low = 0;
  let high = values.length - 1;
  let below = 0;
  while (low < high) {
    const pivot = findMedian(values[low]!, values[(low + high) >>> 1]!, values[high]!);
    // [low, less) is smaller than the pivot, [less, index) equal to it, (greater, high] larger.
    let less = low;
    let greater = high;
    let index = low;
    let lessWeight = 0;
    let equalWeight = 0;
    while (index <= greater) {
      const value = values[index]!;
      if (value < pivot) {
        lessWeight += weights[index]!;
        swap(values, less, index);
        swap(weights, less, index);
        less += 1;
        index += 1;
      } else if (value > pivot) {
        swap(values, greater, index);
        swap(weights, greater, index);
        greater -= 1;
      } else {
        equalWeight += weights[index]!;
        index += 1;
      }
    }
    if (less > low && (below + lessWeight) / total >= q) high = less - 1;
    else if (greater === high || (below + lessWeight + equalWeight) / total >= q) return pivot;
    else {
      below += lessWeight + equalWeight;
      low = greater + 1;
    }
  }
  return values[low]!;
}

function findMedian(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(array: Float64Array, a: number, b: number): void {
  const value = array[a]!;
  array[a] = array[b]!;
  array[b] = value;
}
