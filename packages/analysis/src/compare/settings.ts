import type { MatchOptions } from './match.ts';
import type { Correction } from './significance.ts';

export interface CompareOptions extends MatchOptions {
  /** Statistics to compare, in place of those that suit each type. */
  readonly stats?: readonly string[];
  /** Only metrics whose name one of these is a part of. */
  readonly metrics?: readonly string[];
  readonly test?: 'welch' | 'mann-whitney';
  readonly correction?: Correction;
  /** Chance of a false finding that is accepted; 0.05. */
  readonly alpha?: number;
  /** Changes below this share are none, however certain; 0.01. */
  readonly minChange?: number;
}

/** How differences are tested. */
export interface CompareSettings {
  readonly test: 'welch' | 'mann-whitney';
  readonly correction: Correction;
  /** Chance of a false finding that is accepted. */
  readonly alpha: number;
  /** Changes below this share are none. */
  readonly minChange: number;
}

/** What was asked for, and what holds otherwise. */
export function resolveSettings({ test, correction, alpha, minChange }: CompareOptions): CompareSettings {
  return {
    test: test ?? 'welch',
    correction: correction ?? 'bh',
    alpha: alpha ?? 0.05,
    minChange: minChange ?? 0.01,
  };
}
