import { LineError } from './badLines.ts';
import type { Sample } from './exposition.ts';
import { parseNumber } from './number.ts';
import { findLabel } from './sampleRoles.ts';

/**
 * Checks the samples of one histogram or gauge histogram at one point in time (OpenMetrics 1.0, "Histogram"
 * and "GaugeHistogram"). Methods throw `LineError` for a broken rule.
 */
export class BucketRules {
  readonly #family: string;
  #bound = Number.NaN;
  #value = 0;
  #count: number | undefined;
  #hasNegativeBounds = false;
  #hasSum = false;
  #hasGaugeSum = false;
  #hasNegativeGaugeSum = false;

  constructor(family: string) {
    this.#family = family;
  }

  add(sample: Sample): void {
    const part = sample.name.slice(this.#family.length);
    if (part === '_bucket') this.#checkBucket(parseNumber(findLabel(sample, 'le')!)!, sample.value);
    else if (part === '_count' || part === '_gcount') this.#count = sample.value;
    else if (part === '_sum') this.#hasSum = true;
    else if (part === '_gsum') {
      this.#hasGaugeSum = true;
      this.#hasNegativeGaugeSum = sample.value < 0;
    }
  }

  #checkBucket(bound: number, value: number): void {
    if (bound <= this.#bound) throw new LineError('buckets must be in ascending order of their bounds');
    if (value < this.#value) throw new LineError('a bucket count is lower than the previous one');
    if (bound < 0) this.#hasNegativeBounds = true;
    this.#bound = bound;
    this.#value = value;
  }

  /** Must be called after the last sample. */
  finish(): void {
    const count = this.#count;
    if (this.#bound !== Infinity) throw new LineError(`${this.#family} has no +Inf bucket`);
    if (count !== undefined && count !== this.#value)
      throw new LineError('the count differs from the +Inf bucket');
    if ((this.#hasSum || this.#hasGaugeSum) !== (count !== undefined)) {
      throw new LineError('sum and count must occur together');
    }
    if (this.#hasNegativeBounds && this.#hasSum)
      throw new LineError('a histogram with negative bounds must not have a sum');
    if (!this.#hasNegativeBounds && this.#hasNegativeGaugeSum)
      throw new LineError('the sum is negative although no bound is');
  }
}
