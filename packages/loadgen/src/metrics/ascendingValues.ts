/** Sorting fewer values takes less time than it is worth to store a second copy of them. */
const MIN_KEPT = 1000;

const NO_VALUES = new Float64Array(0);

/** An ascending copy of values to which others are added. Only added values are sorted. */
export class AscendingValues {
  #ascending: Float64Array = NO_VALUES;
  #isRead = false;

  /**
   * Returns the ascending copy, which is valid until the next call.
   *
   * @param values the values of the last call and those that were added after them
   */
  update(values: Float64Array): Float64Array {
    const known = this.#ascending;
    const added = values.slice(known.length).sort();
    const ascending = known.length === 0 ? added : mergeAscending(known, added);
    // Most values are read only once, when the run has ended.
    if (this.#isRead && ascending.length >= MIN_KEPT) this.#ascending = ascending;
    this.#isRead = true;
    return ascending;
  }

  /** Releases the copy. */
  clear(): void {
    this.#ascending = NO_VALUES;
  }
}

/** Merges ascending values. As in sorted typed arrays, NaN is last. */
function mergeAscending(a: Float64Array, b: Float64Array): Float64Array {
  if (b.length === 0) return a;
  const merged = new Float64Array(a.length + b.length);
  let [fromA, fromB] = [0, 0];
  for (let index = 0; index < merged.length; index++) {
    const isFromB =
      fromA === a.length || (fromB < b.length && (b[fromB]! < a[fromA]! || Number.isNaN(a[fromA])));
    merged[index] = isFromB ? b[fromB++]! : a[fromA++]!;
  }
  return merged;
}
