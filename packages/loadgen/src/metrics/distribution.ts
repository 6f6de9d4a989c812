import { TDigest } from 'tdigest';
import { AscendingValues } from './ascendingValues.ts';
import { FrequentValues } from './frequentValues.ts';

/** The percentiles of every distribution in a profile export. */
export const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;

type PercentileKey = `p${(typeof PERCENTILES)[number]}`;

/**
 * Statistics of a distribution, in the unit of its values. `std` is the sample standard deviation (ddof 1); 0
 * for one value.
 */
export type DistributionStats = Readonly<
  Record<'avg' | 'min' | 'max' | 'std' | 'sum', number> & Record<PercentileKey, number>
> & {
  readonly count: number;
  /** Present only if percentiles are estimates. */
  readonly percentile_method?: 't-digest';
  /** Maximum rank error of the percentiles, as a fraction of all values; see {@link computeRankError}. */
  readonly percentile_rank_error?: number;
};

/** Default maximum number of values for exact percentiles; that many values take 8 MB. */
export const MAX_EXACT_VALUES = 1_000_000;

/** Compression δ of the digest: a centroid at quantile q holds at most a fraction 4 δ q (1 − q) of all values. */
const DELTA = 0.01;

/**
 * Returns the maximum rank error of an estimated percentile as a fraction of all values: the share of one
 * centroid at quantile `q` (Dunning and Ertl, "Computing Extremely Accurate Quantiles Using t-Digests", arXiv
 * 1902.04023).
 */
export function computeRankError(q: number): number {
  return 4 * DELTA * q * (1 - q);
}

/**
 * A stream of values and its statistics. Up to a limit, all values are stored and percentiles are exact (linear
 * interpolation, as in NumPy). Above the limit, percentiles are estimated by a t-digest in bounded memory.
 * Other statistics are always exact.
 */
export class Distribution {
  readonly #maxExactValues: number;
  #values: Float64Array = new Float64Array(16);
  readonly #ascending = new AscendingValues();
  #digest: TDigest | undefined;
  readonly #frequent = new FrequentValues();
  #count = 0;
  #sum = 0;
  /** Accumulated rounding error of the sum (Neumaier summation). */
  #compensation = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  /** Mean of the values, and sum of squared differences from the mean (Welford's algorithm). */
  #mean = 0;
  #squares = 0;

  constructor(maxExactValues: number = MAX_EXACT_VALUES) {
    this.#maxExactValues = maxExactValues;
  }

  get count(): number {
    return this.#count;
  }

  get sum(): number {
    return this.#sum + this.#compensation;
  }

  /** The values in insertion order; undefined above the limit. */
  get values(): Float64Array | undefined {
    return this.#digest ? undefined : this.#values.subarray(0, this.#count);
  }

  add(value: number): void {
    this.#store(value);
    this.#count += 1;
    this.#addToSum(value);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    const difference = value - this.#mean;
    this.#mean += difference / this.#count;
    this.#squares += difference * (value - this.#mean);
  }

  /** Returns the statistics; undefined if there are no values. */
  computeStats(): DistributionStats | undefined {
    if (this.#count === 0) return undefined;
    const { sum } = this;
    return {
      avg: sum / this.#count,
      ...this.#computePercentiles(),
      min: this.#min,
      max: this.#max,
      std: this.#count === 1 ? 0 : Math.sqrt(this.#squares / (this.#count - 1)),
      count: this.#count,
      sum,
      ...(this.#digest
        ? { percentile_method: 't-digest' as const, percentile_rank_error: computeRankError(0.5) }
        : {}),
    };
  }

  /** Returns the values at ranks in ascending order, from 0; estimates above the limit. */
  readRanks(ranks: readonly number[]): number[] {
    const sorted = this.values?.slice().sort();
    if (sorted) return ranks.map(rank => sorted[rank]!);
    const centroids = this.#digest!.toArray(true);
    return ranks.map(rank =>
      rank === 0 ? this.#min : this.#estimatePercentile(rank / (this.#count - 1), centroids),
    );
  }

  #store(value: number): void {
    if (this.#digest) {
      this.#addToDigest(this.#digest, value);
      return;
    }
    if (this.#count === this.#maxExactValues) {
      this.#digest = new TDigest(DELTA);
      for (const stored of this.#values.subarray(0, this.#count)) this.#addToDigest(this.#digest, stored);
      this.#addToDigest(this.#digest, value);
      this.#values = new Float64Array(0);
      this.#ascending.clear();
      return;
    }
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(Math.min(this.#maxExactValues, 2 * this.#count));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = value;
  }

  #addToDigest(digest: TDigest, value: number): void {
    digest.push(value);
    this.#frequent.add(value);
  }

  #addToSum(value: number): void {
    const sum = this.#sum + value;
    this.#compensation +=
      Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  #computePercentiles(): Record<PercentileKey, number> {
    const { values } = this;
    const sorted = values && this.#ascending.update(values);
    const centroids = this.#digest?.toArray(true) ?? [];
    const computeAt = (percentile: number): number =>
      sorted ? computePercentile(sorted, percentile) : this.#estimatePercentile(percentile / 100, centroids);
    return Object.fromEntries(
      PERCENTILES.map(percentile => [`p${percentile}`, computeAt(percentile)]),
    ) as Record<PercentileKey, number>;
  }

  /**
   * Interpolates between centroids, unless the centroid of the quantile consists of a single, very frequent
   * value.
   */
  #estimatePercentile(q: number, centroids: ReturnType<TDigest['toArray']>): number {
    const rank = q * this.#count;
    const centroid = centroids.find(({ cumn }) => cumn >= rank);
    const isHeavy = centroid !== undefined && centroid.n > 1 + this.#count * computeRankError(q);
    if (isHeavy && this.#frequent.has(centroid.mean)) return centroid.mean;
    return Math.min(this.#max, Math.max(this.#min, this.#digest!.percentile(q)));
  }
}

/**
 * Returns a percentile of values in ascending order by linear interpolation, like `numpy.percentile`; NaN
 * without values.
 */
export function computePercentile(sorted: ArrayLike<number>, percentile: number): number {
  if (sorted.length === 0) return Number.NaN;
  const position = ((sorted.length - 1) * percentile) / 100;
  const lowIndex = Math.floor(position);
  const low = sorted[lowIndex]!;
  const high = sorted[Math.min(lowIndex + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - lowIndex);
}
