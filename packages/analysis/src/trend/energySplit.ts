import { mean, sum } from '../math.ts';

/** A division of a segment of values into two parts. */
export interface Split {
  /** The index of the first value of the second part. */
  readonly at: number;
  /** The energy statistic of the two parts; higher for a larger difference between their distributions. */
  readonly energy: number;
}

/** A segment of values in order of time, prepared for splits of many permutations of it. */
export class EnergySegment {
  readonly length: number;
  readonly #values: Float64Array;
  /** The rank of each value, from 1. */
  readonly #ranks: Int32Array;
  /** The sum of the distances of each value to all values. */
  readonly #distances: Float64Array;
  /** The sum of the distances of all pairs. */
  readonly #total: number;

  constructor(values: readonly number[]) {
    this.length = values.length;
    // Centered, because sums of values that are large compared with their differences are imprecise.
    const center = mean(values);
    this.#values = Float64Array.from(values, value => value - center);
    const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
    this.#ranks = new Int32Array(values.length);
    for (const [rank, index] of order.entries()) this.#ranks[index] = rank + 1;
    this.#distances = sumDistances(this.#values, order);
    this.#total = sum([...this.#distances]) / 2;
  }

  /**
   * Finds the split with the highest energy statistic (Matteson and James, 2014, with exponent 1): twice the mean distance
   * between values of both parts, minus the mean distances within each part, times n m / (n + m). Both parts have at least
   * `minLength` values. Returns undefined if the segment is too short.
   *
   * @param order the indices of the values, in order of time or in a permutation of it
   */
  findBestSplit(order: ArrayLike<number>, minLength: number): Split | undefined {
    const { length } = this;
    if (length < 2 * minLength) return undefined;
    const counts = new Float64Array(length + 1);
    const sums = new Float64Array(length + 1);
    let [added, within, withinSecond] = [0, 0, this.#total];
    let best: Split | undefined;
    for (let at = 1; at <= length - minLength; at++) {
      const index = order[at - 1]!;
      const value = this.#values[index]!;
      const rank = this.#ranks[index]!;
      const smaller = sumTree(counts, rank);
      const smallerSum = sumTree(sums, rank);
      const toFirst = value * (2 * smaller - (at - 1)) - 2 * smallerSum + added;
      addToTree(counts, rank, 1);
      addToTree(sums, rank, value);
      added += value;
      within += toFirst;
      withinSecond -= this.#distances[index]! - toFirst;
      if (at < minLength) continue;
      const energy = computeEnergy(within, withinSecond, this.#total, at, length - at);
      if (best === undefined || energy > best.energy) best = { at, energy };
    }
    return best;
  }
}

/** Returns, for each value, the sum of its distances to all values. `order` sorts the values. */
function sumDistances(values: Float64Array, order: readonly number[]): Float64Array {
  const distances = new Float64Array(values.length);
  const total = sum([...values]);
  let smallerSum = 0;
  for (const [smaller, index] of order.entries()) {
    const value = values[index]!;
    distances[index] = value * (2 * smaller - values.length) - 2 * smallerSum + total;
    smallerSum += value;
  }
  return distances;
}

/** Computes the energy statistic from the sums of distances of pairs within each part, and of all pairs. */
function computeEnergy(
  within: number,
  withinSecond: number,
  total: number,
  first: number,
  second: number,
): number {
  const between = total - within - withinSecond;
  const meanOfPairs = (distances: number, count: number): number =>
    count < 2 ? 0 : (2 * distances) / (count * (count - 1));
  const difference =
    (2 * between) / (first * second) - meanOfPairs(within, first) - meanOfPairs(withinSecond, second);
  return ((first * second) / (first + second)) * difference;
}

/** Returns the sum of the entries 1 to `index` of a Fenwick tree (Fenwick, 1994). */
function sumTree(tree: Float64Array, index: number): number {
  let total = 0;
  for (let i = index; i > 0; i -= i & -i) total += tree[i]!;
  return total;
}

function addToTree(tree: Float64Array, index: number, value: number): void {
  for (let i = index; i < tree.length; i += i & -i) tree[i]! += value;
}
