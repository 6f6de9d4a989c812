/** The mean of a metric over runs, with its confidence interval. */
export interface Estimate {
  readonly mean: number;
  /** Half the width of the confidence interval; null without one, such as for a single run. */
  readonly half: number | null;
}

/** Reports whether the whole interval of `a` is below the whole interval of `b`. False without an interval. */
export function isCertainlyBelow(a: Estimate, b: Estimate): boolean {
  return a.half !== null && b.half !== null && a.mean + a.half < b.mean - b.half;
}

/** Compares an estimate with a limit. Undecided if its interval contains the limit, or it has none. */
export function compareWithLimit({ mean, half }: Estimate, limit: number): 'below' | 'above' | 'undecided' {
  if (half === null) return 'undecided';
  if (mean + half <= limit) return 'below';
  return mean - half > limit ? 'above' : 'undecided';
}
