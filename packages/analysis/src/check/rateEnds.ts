/** An end of the intervals of rates over AIPerf's window: the rate in that window, or over the profiling phase. */
export type RateEnd = 'lower' | 'upper';

/** The ends to evaluate a rule with, in the run and in its baseline. */
export interface RateEnds {
  readonly run: RateEnd;
  readonly baseline: RateEnd;
}
