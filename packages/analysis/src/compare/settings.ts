import { builtInServers, type ServerCatalog } from '@org/servers';
import type { MatchOptions } from './matching/matchSeries.ts';
import type { Correction } from './significance/correction.ts';

/** Options of a comparison. */
export interface CompareOptions extends MatchOptions {
  /** Statistics to compare, instead of the defaults for each type. */
  readonly stats?: readonly string[];
  /** Compare only metrics whose name contains one of these texts. */
  readonly metrics?: readonly string[];
  /** The significance test; `welch` by default. */
  readonly test?: 'welch' | 'mann-whitney';
  /** The correction for multiple comparisons; `bh` by default. */
  readonly correction?: Correction;
  /** The significance level; 0.05 by default. */
  readonly alpha?: number;
  /** The minimum change to report, as a fraction of the base; 0.01 by default. */
  readonly minChange?: number;
}

/** Settings of significance tests, with defaults filled in. */
export interface CompareSettings {
  readonly test: 'welch' | 'mann-whitney';
  readonly correction: Correction;
  /** The significance level. */
  readonly alpha: number;
  /** The minimum change to report, as a fraction of the base. */
  readonly minChange: number;
  /** The servers whose metrics are understood. */
  readonly servers: ServerCatalog;
}

/** Returns the settings of a comparison, with defaults for options that are not set. */
export function resolveSettings(
  { test, correction, alpha, minChange }: CompareOptions,
  servers: ServerCatalog = builtInServers,
): CompareSettings {
  return {
    test: test ?? 'welch',
    correction: correction ?? 'bh',
    alpha: alpha ?? 0.05,
    minChange: minChange ?? 0.01,
    servers,
  };
}
