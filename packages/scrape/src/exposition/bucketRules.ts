import { LineError } from './badLines.ts';
import type { Sample } from './exposition.ts';
import { parseNumber } from './number.ts';
import { findLabel } from './sampleRoles.ts';

/**
 * The rules that bind the samples of one histogram or gauge histogram at one point in time
 * (OpenMetrics 1.0, "Histogram" and "GaugeHistogram"). Methods throw the rule that is broken.
 */
export class BucketRules {
  readonly #family: string;
  #bound = Number.NaN;
  #value = 0;
  #count: number | undefined;
  #negativeBounds = false;
  #sum = false;
  #gaugeSum = false;
  #negativeGaugeSum = false;

  constructor(family: string) {
    this.#family = family;
  }

  add(sample: Sample): void {
    const part = sample.name.slice(this.#family.length);
    if (part === '_bucket') this.#bucket(parseNumber(findLabel(sample, 'le')!)!, sample.value);
    else if (part === '_count' || part === '_gcount') this.#count = sample.value;
    else if (part === '_sum') this.#sum = true;
    else if (part === '_gsum') {
      this.#gaugeSum = true;
      this.#negativeGaugeSum = sample.value < 0;
    }
  }

  #bucket(bound: number, value: number): void {
    if (bound <= this.#bound) throw new LineError('buckets stand in the order of their bounds');
    if (value < this.#value) throw new LineError('a bucket holds less than the one before it');
    if (bound < 0) this.#negativeBounds = true;
    this.#bound = bound;
    this.#value = value;
  }

  /** Called behind the last sample. */
  finish(): void {
    const count = this.#count;
    if (this.#bound !== Infinity) throw new LineError(`${this.#family} has no bucket +Inf`);
    if (count !== undefined && count !== this.#value)
      throw new LineError('the count is not that of the bucket +Inf');
    if ((this.#sum || this.#gaugeSum) !== (count !== undefined)) {
      throw new LineError('sum and count stand together or not at all');
    }
    if (this.#negativeBounds && this.#sum) throw new LineError('with negative bounds there is no sum');
    if (!this.#negativeBounds && this.#negativeGaugeSum)
      throw new LineError('the sum is negative and no bound is');
  }
}
