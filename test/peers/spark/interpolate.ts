/** A cumulative bucket of a histogram. */
export interface Bucket {
  /** Upper bound; infinity for the last bucket. */
  readonly bound: number;
  readonly count: number;
}

/** Estimates a quantile from cumulative buckets, as Prometheus' `histogram_quantile` does. */
export function interpolate(buckets: readonly Bucket[], q: number): number {
  const sorted = buckets.toSorted((a, b) => a.bound - b.bound);
  const rank = q * sorted.at(-1)!.count;
  const index = sorted.findIndex(({ count }) => count >= rank);
  const { bound, count } = sorted[index]!;
  const below = sorted[index - 1] ?? { bound: 0, count: 0 };
  if (bound === Number.POSITIVE_INFINITY) return below.bound;
  return below.bound + ((bound - below.bound) * (rank - below.count)) / (count - below.count);
}

/** Parses the bound of a bucket, which may be `+Inf`. */
export function parseBound(bound: string | number): number {
  return bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
}
