/** Options of a trend. */
export interface TrendOptions {
  /** The significance level of all tests together; 0.05 by default. */
  readonly alpha?: number;
  /** The minimum change to report, as a fraction of the earlier level; 0.01 by default. */
  readonly minChange?: number;
  /** The minimum number of runs on each side of a change; 5 by default. */
  readonly minRuns?: number;
  /** Settings of runs to ignore, by name or the start of a name, such as `command`. */
  readonly ignoredSettings?: readonly string[];
}

/** Settings of a trend, with defaults filled in. */
export interface TrendSettings extends Required<TrendOptions> {
  /** The maximum number of permutations of a test. */
  readonly permutations: number;
}

/** Returns the settings of a trend, with defaults for options that are not set. */
export function resolveTrendSettings({
  alpha = 0.05,
  minChange = 0.01,
  minRuns = 5,
  ignoredSettings = [],
}: TrendOptions = {}): TrendSettings {
  return { alpha, minChange, minRuns, ignoredSettings, permutations: 1999 };
}
