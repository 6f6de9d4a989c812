import type { Labels } from '@org/core';
import type { Observations } from '../truth.ts';

/** A counter series. */
export class Counter {
  readonly labels: Labels;
  readonly createdS: number;
  value = 0;

  constructor(labels: Labels, createdS: number) {
    this.labels = labels;
    this.createdS = createdS;
  }

  inc(by = 1): void {
    if (!(by >= 0)) throw new RangeError(`a counter cannot grow by ${by}`);
    this.value += by;
  }
}

/** A gauge series. */
export class Gauge {
  readonly labels: Labels;
  value = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  set(value: number): void {
    this.value = value;
  }
}

/** A histogram series. */
export class Histogram {
  readonly labels: Labels;
  readonly createdS: number;
  /** Upper bounds, ascending, without +Inf. */
  readonly bounds: Float64Array;
  /** Observations per bucket (not cumulative); the last one is +Inf. */
  readonly counts: Float64Array;
  readonly #truth: Observations | undefined;
  sum = 0;
  count = 0;

  constructor(labels: Labels, bounds: Float64Array, createdS: number, truth?: Observations) {
    this.labels = labels;
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
    this.createdS = createdS;
    this.#truth = truth;
  }

  observe(value: number): void {
    this.counts[this.#findBucket(value)]! += 1;
    this.sum += value;
    this.count += 1;
    this.#truth?.push(value);
  }

  /** Returns the index of the first bound that is at least `value`, or of the +Inf bucket. */
  #findBucket(value: number): number {
    let from = 0;
    let to = this.bounds.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.bounds[middle]! < value) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Number of recent observations that the quantiles of a summary cover. */
const SUMMARY_WINDOW = 1000;

/** A summary series, whose quantiles cover the most recent observations. */
export class Summary {
  readonly labels: Labels;
  readonly createdS: number;
  readonly #recent = new Float64Array(SUMMARY_WINDOW);
  sum = 0;
  count = 0;

  constructor(labels: Labels, createdS: number) {
    this.labels = labels;
    this.createdS = createdS;
  }

  observe(value: number): void {
    this.#recent[this.count % SUMMARY_WINDOW] = value;
    this.sum += value;
    this.count += 1;
  }

  /** Returns quantile `q` (0 to 1) of the recent observations; NaN without observations. */
  computeQuantile(q: number): number {
    const recent = this.#recent.slice(0, Math.min(this.count, SUMMARY_WINDOW)).sort();
    return recent[Math.min(recent.length - 1, Math.floor(q * recent.length))] ?? Number.NaN;
  }
}
