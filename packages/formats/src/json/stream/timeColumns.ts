/** Times in nanoseconds as pairs of numbers, which are faster to read than bigints. */
export interface SplitTimes {
  readonly seconds: Float64Array;
  readonly nanoseconds: Float64Array;
}

/** Shares the columns of times of lists with the same times, such as the timeslices of most series. */
export class TimeColumns {
  readonly #newest = new Map<string, SplitTimes & { readonly times: readonly bigint[] }>();

  /** Returns times as bigints: a column that was returned for the same field before, if it has the same times. */
  share(field: string, { seconds, nanoseconds }: SplitTimes): readonly bigint[] {
    const known = this.#newest.get(field);
    if (known && isEqual(known.seconds, seconds) && isEqual(known.nanoseconds, nanoseconds))
      return known.times;
    const times = Array.from(
      seconds,
      (value, index) => BigInt(value) * 1_000_000_000n + BigInt(nanoseconds[index]!),
    );
    this.#newest.set(field, { seconds, nanoseconds, times });
    return times;
  }
}

function isEqual(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
