import type { Correction } from './correction.ts';
import type { MatchOptions } from './matchSeries.ts';

export interface CompareOptions extends MatchOptions {
  /** Statistics to compare, instead of the defaults for each type. */
  readonly stats?: readonly string[];
  /** Compare only metrics whose name contains one of these texts. */
  readonly metrics?: readonly string[];
  readonly test?: 'welch' | 'mann-whitney';
  readonly correction?: Correction;
  /** The significance level; 0.05 by default. */
  readonly alpha?: number;
  /** Changes smaller than this fraction are ignored, even if significant; 0.01 by default. */
  readonly minChange?: number;
}

/** Settings for testing differences. */
export interface CompareSettings {
  readonly test: 'welch' | 'mann-whitney';
  readonly correction: Correction;
  /** The significance level. */
  readonly alpha: number;
  /** Changes smaller than this fraction are ignored. */
  readonly minChange: number;
}

/** Fills in the defaults. */
export function resolveSettings({ test, correction, alpha, minChange }: CompareOptions): CompareSettings {
  return {
    test: test ?? 'welch',
    correction: correction ?? 'bh',
    alpha: alpha ?? 0.05,
    minChange: minChange ?? 0.01,
  };
}
