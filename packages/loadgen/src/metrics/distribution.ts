import { TDigest } from 'tdigest';
import { FrequentValues } from './frequentValues.ts';

/** The percentiles of every distribution in an export (seed 004). */
export const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;

type PercentileKey = `p${(typeof PERCENTILES)[number]}`;

/** What is said of a distribution, in the unit of its values. `std` is that of a sample (ddof 1), 0 for a single value. */
export type DistributionStats = Readonly<
  Record<'avg' | 'min' | 'max' | 'std' | 'sum', number> & Record<PercentileKey, number>
> & {
  readonly count: number;
  /** Only where percentiles are estimates. */
  readonly percentile_method?: 't-digest';
  /** How far off their ranks are at most, as a share of all values; see {@link rankErrorAt}. */
  readonly percentile_rank_error?: number;
};

/** Values that are kept one by one: 8 MB. */
export const EXACT_VALUES = 1_000_000;

/** Compression of the digest: the share of all values that one of its centroids may hold is 4 δ q (1 − q). */
const DELTA = 0.01;

/**
 * How far the rank of an estimated percentile is off at most, as a share of all values: what one centroid may hold at the
 * quantile `q` (Dunning and Ertl, "Computing Extremely Accurate Quantiles Using t-Digests", arXiv 1902.04023).
 */
export function rankErrorAt(q: number): number {
  return 4 * DELTA * q * (1 - q);
}

/**
 * Values and their statistics. All values are kept, and percentiles are exact (linear between neighbours, as NumPy's), up to
 * a bound; from there on a t-digest takes them in and memory grows no more. Count, sum, mean, minimum, maximum and standard
 * deviation are exact in both.
 */
export class Distribution {
  readonly #limit: number;
  #values: Float64Array = new Float64Array(16);
  #digest: TDigest | undefined;
  readonly #frequent = new FrequentValues();
  #count = 0;
  #sum = 0;
  /** What adding up has lost (Neumaier). */
  #lost = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  /** Mean and sum of squared differences from it (Welford). */
  #mean = 0;
  #squares = 0;

  constructor(limit: number = EXACT_VALUES) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  get sum(): number {
    return this.#sum + this.#lost;
  }

  /** The values in the order in which they came; undefined where they are no longer kept. */
  get values(): Float64Array | undefined {
    return this.#digest ? undefined : this.#values.subarray(0, this.#count);
  }

  add(value: number): void {
    this.#keep(value);
    this.#count += 1;
    this.#addUp(value);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    const distance = value - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (value - this.#mean);
  }

  /** Undefined without values. */
  stats(): DistributionStats | undefined {
    if (this.#count === 0) return undefined;
    const { sum } = this;
    return {
      avg: sum / this.#count,
      ...this.#percentiles(),
      min: this.#min,
      max: this.#max,
      std: this.#count === 1 ? 0 : Math.sqrt(this.#squares / (this.#count - 1)),
      count: this.#count,
      sum,
      ...(this.#digest
        ? { percentile_method: 't-digest' as const, percentile_rank_error: rankErrorAt(0.5) }
        : {}),
    };
  }

  #keep(value: number): void {
    if (this.#digest) {
      this.#takeIn(this.#digest, value);
      return;
    }
    if (this.#count === this.#limit) {
      this.#digest = new TDigest(DELTA);
      for (const kept of this.#values.subarray(0, this.#count)) this.#takeIn(this.#digest, kept);
      this.#takeIn(this.#digest, value);
      this.#values = new Float64Array(0);
      return;
    }
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(Math.min(this.#limit, 2 * this.#count));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = value;
  }

  #takeIn(digest: TDigest, value: number): void {
    digest.push(value);
    this.#frequent.add(value);
  }

  #addUp(value: number): void {
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  #percentiles(): Record<PercentileKey, number> {
    const sorted = this.values?.slice().sort();
    const centroids = this.#digest?.toArray(true) ?? [];
    const at = (percentile: number): number =>
      sorted ? percentileOf(sorted, percentile) : this.#estimate(percentile / 100, centroids);
    return Object.fromEntries(PERCENTILES.map(one => [`p${one}`, at(one)])) as Record<PercentileKey, number>;
  }

  /** Where a centroid holds more than its share because a value occurs so often, there is nothing to go between. */
  #estimate(q: number, centroids: ReturnType<TDigest['toArray']>): number {
    const rank = q * this.#count;
    const own = centroids.find(({ cumn }) => cumn >= rank);
    const isHeavy = own !== undefined && own.n > 1 + this.#count * rankErrorAt(q);
    if (isHeavy && this.#frequent.has(own.mean)) return own.mean;
    return Math.min(this.#max, Math.max(this.#min, this.#digest!.percentile(q)));
  }
}

/** Percentile of ascending values, linear between neighbours as `numpy.percentile` by default. NaN without values. */
export function percentileOf(sorted: ArrayLike<number>, percentile: number): number {
  if (sorted.length === 0) return Number.NaN;
  const place = ((sorted.length - 1) * percentile) / 100;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}
