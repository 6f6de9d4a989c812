import { Distribution } from './distribution.ts';

/** The values of a per-request metric. */
export interface MetricDistribution {
  readonly unit: string;
  readonly distribution: Distribution;
}

/** The distributions of per-request metrics, by tag. */
export class MetricDistributions {
  readonly #maxExactValues: number;
  readonly #byTag = new Map<string, MetricDistribution>();

  /** `maxExactValues` is the maximum number of values per metric for exact percentiles. */
  constructor(maxExactValues: number) {
    this.#maxExactValues = maxExactValues;
  }

  /** Returns the distribution of a metric; undefined if it has no values. */
  get(tag: string): MetricDistribution | undefined {
    return this.#byTag.get(tag);
  }

  has(tag: string): boolean {
    return this.#byTag.has(tag);
  }

  /** Adds the values of one request. */
  add(tag: string, value: number | readonly number[], unit: string): void {
    let entry = this.#byTag.get(tag);
    if (!entry) {
      entry = { unit, distribution: new Distribution(this.#maxExactValues) };
      this.#byTag.set(tag, entry);
    }
    if (typeof value === 'number') entry.distribution.add(value);
    else for (const element of value) entry.distribution.add(element);
  }

  /** Adds all values of another instance. Returns false without changes if `other` no longer stores individual values. */
  merge(other: MetricDistributions): boolean {
    const added = [...other.#byTag].map(([tag, { unit, distribution }]) => ({
      tag,
      unit,
      values: distribution.values,
    }));
    if (added.some(({ values }) => values === undefined)) return false;
    for (const { tag, unit, values } of added) this.add(tag, [...values!], unit);
    return true;
  }

  /** Returns the sum of a metric; undefined if it has no values. Embeddings have no output tokens to sum. */
  sum(tag: string): number | undefined {
    if (tag === 'output_sequence_length' && !this.has('output_token_count')) return undefined;
    return this.get(tag)?.distribution.sum;
  }
}
