import { upperBound } from '@org/core';

/** An inclusive range of positions of series in a file. */
export type PositionRange = readonly [first: number, last: number];

/** Values of series by position. The ranges are not expanded: those of a damaged file may contain any number of positions. */
export class PositionRanges<T> {
  readonly #sorted: readonly (readonly [PositionRange, T])[];
  readonly #firsts: Float64Array;

  constructor(values: readonly (readonly [PositionRange, T])[]) {
    this.#sorted = [...values].sort(([[a]], [[b]]) => a - b);
    this.#firsts = Float64Array.from(this.#sorted, ([[first]]) => first);
  }

  /** Returns the value of a position; undefined if no range contains it. */
  find(position: number): T | undefined {
    const [range, value] = this.#sorted[upperBound(this.#firsts, position) - 1] ?? [];
    return range !== undefined && position <= range[1] ? value : undefined;
  }
}
