/** Ratio of the bounds of a bucket. The middle of a bucket differs from each of its values by at most 0.5%. */
const GAMMA = 1.01;
const LOG_GAMMA = Math.log(GAMMA);

/** The bucket of values of 0 and below, which have no logarithm. */
const ZERO_BUCKET = Number.NEGATIVE_INFINITY;

/** Percentiles of a set of values, each within 0.5%, and the number of values. */
export interface Quantiles {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

/** A set of values in buckets of 1%, so that its memory depends on the range of the values and not on their number. */
export class QuantileSketch {
  readonly #counts = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    const bucket = value > 0 ? Math.ceil(Math.log(value) / LOG_GAMMA) : ZERO_BUCKET;
    this.#addCount(bucket, 1);
  }

  /** Adds all values of another set. */
  merge(other: QuantileSketch): void {
    for (const [bucket, count] of other.#counts) this.#addCount(bucket, count);
  }

  /** Returns the percentiles; undefined if there are no values. */
  computeQuantiles(): Quantiles | undefined {
    if (this.#count === 0) return undefined;
    const buckets = [...this.#counts].sort(([a], [b]) => a - b);
    const find = (quantile: number): number => findValue(buckets, quantile * (this.#count - 1));
    return { count: this.#count, p50: find(0.5), p90: find(0.9), p95: find(0.95), p99: find(0.99) };
  }

  #addCount(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#count += count;
  }
}

/** Returns the middle of the bucket that contains a rank, counted from 0. */
function findValue(buckets: readonly (readonly [bucket: number, count: number])[], rank: number): number {
  let below = 0;
  for (const [bucket, count] of buckets) {
    below += count;
    if (below > rank) return toMiddle(bucket);
  }
  return toMiddle(buckets.at(-1)![0]);
}

function toMiddle(bucket: number): number {
  return bucket === ZERO_BUCKET ? 0 : (2 * GAMMA ** bucket) / (1 + GAMMA);
}
