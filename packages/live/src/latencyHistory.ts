import { addBuckets, type BucketCounts, estimateQuantiles } from './bucketQuantiles.ts';
import type { LiveLatency } from './liveState.ts';
import { QuantileSketch, type Quantiles } from './quantileSketch.ts';
import { Readings } from './readings.ts';

/** The observations of a latency in one reading, and their percentiles. */
interface Observations<T> {
  readonly values: T | undefined;
  readonly quantiles: Quantiles | undefined;
}

/** A latency over the last readings and over all of them. `T` contains the observations of one reading. */
class LatencyHistory<T> {
  readonly #readings = new Readings<Observations<T>>();
  readonly #add: (parts: readonly T[]) => T | undefined;
  readonly #compute: (values: T) => Quantiles | undefined;
  #total: T | undefined;
  #isTotalKnown = true;

  constructor(add: (parts: readonly T[]) => T | undefined, compute: (values: T) => Quantiles | undefined) {
    this.#add = add;
    this.#compute = compute;
  }

  /** Adds a reading; undefined if its observations are unknown. */
  add(values: T | undefined): void {
    this.#readings.add({ values, quantiles: values === undefined ? undefined : this.#compute(values) });
    if (values === undefined) return;
    const total = this.#add(this.#total === undefined ? [values] : [this.#total, values]);
    this.#isTotalKnown &&= total !== undefined;
    this.#total = total;
  }

  describe(isCurrent = true): LiveLatency {
    const { items, last } = this.#readings;
    const recent = this.#add(items.flatMap(({ values }) => values ?? []) as T[]);
    return {
      now: isCurrent ? last?.quantiles?.p50 : undefined,
      points: items.map(({ quantiles }) => quantiles?.p50 ?? null),
      recent: recent === undefined ? undefined : this.#compute(recent),
      total: this.#total === undefined || !this.#isTotalKnown ? undefined : this.#compute(this.#total),
    };
  }
}

/** A latency that is measured for each request. */
export type SketchHistory = LatencyHistory<QuantileSketch>;

/** Creates a history of values of requests. */
export function createSketchHistory(): SketchHistory {
  return new LatencyHistory(mergeSketches, sketch => sketch.computeQuantiles());
}

/** A latency that a server reports as a histogram. */
export type BucketHistory = LatencyHistory<BucketCounts>;

/** Creates a history of the buckets of a server. */
export function createBucketHistory(): BucketHistory {
  return new LatencyHistory(addBuckets, estimateQuantiles);
}

function mergeSketches(sketches: readonly QuantileSketch[]): QuantileSketch {
  const merged = new QuantileSketch();
  for (const sketch of sketches) merged.merge(sketch);
  return merged;
}
