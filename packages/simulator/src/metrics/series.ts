import type { Labels } from '@org/core';
import type { Observations } from '../truth.ts';

/** A number that only grows. */
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

/** A number that goes where it is set. */
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

/** Observations counted by bucket. */
export class Histogram {
  readonly labels: Labels;
  readonly createdS: number;
  /** Upper bounds, ascending, without +Inf. */
  readonly bounds: Float64Array;
  /** Observations by bucket (not cumulative); the last one is +Inf's. */
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
    this.counts[this.#bucket(value)]! += 1;
    this.sum += value;
    this.count += 1;
    this.#truth?.push(value);
  }

  /** Index of the first bound that is not below the value. */
  #bucket(value: number): number {
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

/** How many of the latest observations the quantiles of a summary are taken from. */
const summaryWindow = 1000;

/** Observations of which the server itself computes quantiles, over a recent stretch. */
export class Summary {
  readonly labels: Labels;
  readonly createdS: number;
  readonly #recent = new Float64Array(summaryWindow);
  sum = 0;
  count = 0;

  constructor(labels: Labels, createdS: number) {
    this.labels = labels;
    this.createdS = createdS;
  }

  observe(value: number): void {
    this.#recent[this.count % summaryWindow] = value;
    this.sum += value;
    this.count += 1;
  }

  /** The value below which the share `q` of the recent observations lies; NaN without any. */
  quantile(q: number): number {
    const recent = this.#recent.slice(0, Math.min(this.count, summaryWindow)).sort();
    return recent[Math.min(recent.length - 1, Math.floor(q * recent.length))] ?? Number.NaN;
  }
}
