import { selectWeighted } from './selectWeighted.ts';

/** Statistics of values that are weighted by time. `std` is the population standard deviation. */
export type WeightedStats = Readonly<
  Record<'avg' | 'p50' | 'p90' | 'p95' | 'p99' | 'min' | 'max' | 'std', number>
>;

/** The percentiles, as fractions. */
const FRACTIONS = [0.5, 0.9, 0.95, 0.99];

const NO_TIME: WeightedStats = { avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, min: 0, max: 0, std: 0 };

/**
 * Returns the statistics of finite values, each with the time that it was held. Values with a weight of 0 are ignored;
 * all statistics are 0 without others.
 */
export function computeWeightedStats(values: Float64Array, weights: Float64Array): WeightedStats {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let minPositive = Number.POSITIVE_INFINITY;
  let total = 0;
  let sum = 0;
  for (let index = 0; index < values.length; index++) {
    const weight = weights[index]!;
    if (weight === 0) continue;
    const value = values[index]!;
    if (value < min) min = value;
    if (value > max) max = value;
    if (value > 0 && value < minPositive) minPositive = value;
    total += weight;
    sum += value * weight;
  }
  if (total === 0) return NO_TIME;
  const avg = sum / total;
  let squares = 0;
  for (let index = 0; index < values.length; index++) {
    const difference = values[index]! - avg;
    squares += weights[index]! * difference * difference;
  }
  const [p50, p90, p95, p99] = new Buckets(values, weights, minPositive, max).select(FRACTIONS, total);
  return { avg, p50: p50!, p90: p90!, p95: p95!, p99: p99!, min, max, std: Math.sqrt(squares / total) };
}

/** Maximum number of buckets. */
const MAX_BUCKETS = 1 << 16;
/** The position of the word with the exponent in a double. */
const HIGH = new Uint32Array(Float64Array.of(1).buffer)[1] === 0 ? 0 : 1;

/**
 * Weights of values by range, which lead to a percentile without sorting all values. Ranges are divided by the leading
 * bits of doubles: their width grows with the value, so that a few large values do not move all others to one range.
 */
class Buckets {
  readonly #values: Float64Array;
  readonly #weights: Float64Array;
  /** The two words of each value. */
  readonly #words: Int32Array;
  /** The leading word of the smallest positive value. Smaller values are in the first bucket. */
  readonly #lowWord: number;
  readonly #shift: number;
  readonly #bucketWeights: Float64Array;
  /** The value of each bucket; NaN if it has several. */
  readonly #bucketValues: Float64Array;

  constructor(values: Float64Array, weights: Float64Array, minPositive: number, max: number) {
    this.#values = values;
    this.#weights = weights;
    this.#words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
    this.#lowWord = readHighWord(minPositive);
    const range = Math.max(0, readHighWord(max) - this.#lowWord);
    const limit = Math.min(MAX_BUCKETS, Math.max(16, values.length));
    this.#shift = Math.max(0, 32 - Math.clz32(Math.floor(range / (limit - 2))));
    const count = (range >>> this.#shift) + 2;
    this.#bucketWeights = new Float64Array(count);
    this.#bucketValues = new Float64Array(count);
    this.#fill();
  }

  /** Returns, for each fraction `q`, the smallest value that holds it of the total weight together with smaller ones. */
  select(fractions: readonly number[], total: number): number[] {
    const positions = fractions.map(q => ({ q, ...this.#findBucket(q, total) }));
    const mixed = positions.filter(({ bucket }) => Number.isNaN(this.#bucketValues[bucket]));
    const members = this.#listMembers(mixed.map(({ bucket }) => bucket));
    return positions.map(({ q, bucket, below }) => {
      const value = this.#bucketValues[bucket]!;
      if (!Number.isNaN(value)) return value;
      const indices = members.filter(index => this.#getBucket(index) === bucket);
      const values = Float64Array.from(indices, index => this.#values[index]!);
      const weights = Float64Array.from(indices, index => this.#weights[index]!);
      return selectWeighted(values, weights, q, total, below);
    });
  }

  /** Returns the bucket of a fraction of the total weight, and the weight below the bucket. */
  #findBucket(q: number, total: number): { readonly bucket: number; readonly below: number } {
    let below = 0;
    let found = { bucket: 0, below };
    for (let bucket = 0; bucket < this.#bucketWeights.length; bucket++) {
      const weight = this.#bucketWeights[bucket]!;
      if (weight === 0) continue;
      // The last bucket is found even if rounding leaves it below the fraction.
      found = { bucket, below };
      if ((below + weight) / total >= q) break;
      below += weight;
    }
    return found;
  }

  /** Returns the indices of all values in some buckets. */
  #listMembers(buckets: readonly number[]): number[] {
    if (buckets.length === 0) return [];
    const isListed = new Uint8Array(this.#bucketWeights.length);
    for (const bucket of buckets) isListed[bucket] = 1;
    const members: number[] = [];
    const weights = this.#weights;
    for (let index = 0; index < weights.length; index++)
      if (isListed[this.#getBucket(index)] === 1 && weights[index] !== 0) members.push(index);
    return members;
  }

  #fill(): void {
    // Fields are read once: these are the longest loops of an export.
    const values = this.#values;
    const weights = this.#weights;
    const bucketWeights = this.#bucketWeights;
    const bucketValues = this.#bucketValues;
    for (let index = 0; index < values.length; index++) {
      const weight = weights[index]!;
      if (weight === 0) continue;
      const bucket = this.#getBucket(index);
      const value = values[index]!;
      if (bucketWeights[bucket] === 0) bucketValues[bucket] = value;
      else if (bucketValues[bucket] !== value) bucketValues[bucket] = Number.NaN;
      bucketWeights[bucket]! += weight;
    }
  }

  #getBucket(index: number): number {
    const offset = this.#words[2 * index + HIGH]! - this.#lowWord;
    return offset < 0 ? 0 : 1 + (offset >>> this.#shift);
  }
}

function readHighWord(value: number): number {
  return new Int32Array(Float64Array.of(value).buffer)[HIGH]!;
}
