/** A time added up over all requests, in total and by slice. Sums of nested stages can be subtracted. */
export interface TimeSum {
  readonly totalMs: number;
  /** Sums in ms by the start of each slice in nanoseconds. */
  readonly slices: ReadonlyMap<bigint, number>;
}

/** Returns the time that is in `whole` and in none of `parts`. Slices that a part lacks are unknown. */
export function subtractTimes(whole: TimeSum, parts: readonly TimeSum[]): TimeSum {
  const slices = new Map<bigint, number>();
  for (const [startNs, ms] of whole.slices) {
    const inParts = parts.map(part => part.slices.get(startNs));
    if (inParts.some(value => value === undefined)) continue;
    slices.set(
      startNs,
      inParts.reduce<number>((rest, value) => rest - value!, ms),
    );
  }
  return { totalMs: parts.reduce((rest, part) => rest - part.totalMs, whole.totalMs), slices };
}
