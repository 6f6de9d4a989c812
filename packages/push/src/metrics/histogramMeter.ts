import type { Distribution } from '@org/loadgen';
import type { HistogramValue } from './batch.ts';

/**
 * Counts the values of a distribution in buckets. Each reading counts only the values since the previous one. If the run no
 * longer stores its values, because it has more than a million, the buckets are unknown.
 */
export class HistogramMeter {
  readonly #bounds: readonly number[];
  readonly #scale: number;
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  /** @param scale factor from the unit of the distribution to the unit of the bounds */
  constructor(bounds: readonly number[], scale: number) {
    this.#bounds = bounds;
    this.#scale = scale;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** Returns the histogram of all values so far; undefined if there are none, or if they are no longer stored. */
  read(distribution: Pick<Distribution, 'values'> | undefined): HistogramValue | undefined {
    const values = distribution?.values;
    if (!values || values.length === 0) return undefined;
    for (; this.#count < values.length; this.#count++) this.#add(values[this.#count]! * this.#scale);
    return { bounds: this.#bounds, counts: [...this.#counts], count: this.#count, sum: this.#sum };
  }

  #add(value: number): void {
    const index = this.#bounds.findIndex(bound => value <= bound);
    this.#counts[index < 0 ? this.#bounds.length : index]! += 1;
    this.#sum += value;
  }
}
