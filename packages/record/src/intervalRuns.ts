/** Minimum number of runs for a confidence interval. */
export const MIN_INTERVAL_RUNS = 2;
