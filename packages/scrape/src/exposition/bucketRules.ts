import { LineError } from './badLines.ts';
import type { Sample } from './exposition.ts';
import { parseNumber } from './number.ts';
import { findLabel } from './sampleRoles.ts';

/**
 * Checks the samples of one histogram or gauge histogram with the same timestamp (OpenMetrics 1.0,
 * "Histogram" and "GaugeHistogram"). Methods throw `LineError` if a rule is violated.
 */
export class BucketRules {
  readonly #family: string;
  #lastBound = Number.NaN;
  #lastCount = 0;
  #count: number | undefined;
  #hasNegativeBounds = false;
  #hasSum = false;
  #hasGaugeSum = false;
  #hasNegativeGaugeSum = false;

  constructor(family: string) {
    this.#family = family;
  }

  /** Checks the next sample. */
  add(sample: Sample): void {
    const suffix = sample.name.slice(this.#family.length);
    if (suffix === '_bucket') this.#checkBucket(parseNumber(findLabel(sample, 'le')!)!, sample.value);
    else if (suffix === '_count' || suffix === '_gcount') this.#count = sample.value;
    else if (suffix === '_sum') this.#hasSum = true;
    else if (suffix === '_gsum') {
      this.#hasGaugeSum = true;
      this.#hasNegativeGaugeSum = sample.value < 0;
    }
  }

  #checkBucket(bound: number, bucketCount: number): void {
    if (bound <= this.#lastBound) throw new LineError('buckets must be in ascending order of their bounds');
    if (bucketCount < this.#lastCount) throw new LineError('a bucket count is lower than the previous one');
    if (bound < 0) this.#hasNegativeBounds = true;
    this.#lastBound = bound;
    this.#lastCount = bucketCount;
  }

  /** Checks the histogram as a whole. Must be called after the last sample. */
  finish(): void {
    const count = this.#count;
    if (this.#lastBound !== Infinity) throw new LineError(`${this.#family} has no +Inf bucket`);
    if (count !== undefined && count !== this.#lastCount)
      throw new LineError('the count differs from the +Inf bucket');
    if ((this.#hasSum || this.#hasGaugeSum) !== (count !== undefined)) {
      throw new LineError('sum and count must occur together');
    }
    if (this.#hasNegativeBounds && this.#hasSum)
      throw new LineError('a histogram with negative bounds must not have a sum');
    if (!this.#hasNegativeBounds && this.#hasNegativeGaugeSum)
      throw new LineError('the sum is negative, but no bucket bound is');
  }
}
