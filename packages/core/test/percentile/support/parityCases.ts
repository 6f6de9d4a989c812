import type { PercentileEstimates } from '../../../src/percentile/estimator.ts';
import { sharedLines } from './sharedData.ts';
import type { Scrapes } from './windows.ts';

/** A small input with the exact output of AIPerf's algorithm, and what it learned on the way. */
export interface ParityCase extends Scrapes {
  readonly id: string;
  readonly note: string;
  /** The scrape from which it learned. */
  readonly start_idx: number;
  /** The period's increase, which is not always that of the scrapes. */
  readonly bucket_deltas: Record<string, number>;
  readonly total_sum: number | null;
  readonly total_count: number;
  readonly stats: Record<string, { estimated_mean: number; estimated_variance: number | null }>;
  readonly expected: PercentileEstimates | null;
  readonly prometheus: Record<keyof PercentileEstimates, number | null>;
}

/** Null when the shared test data is not there. */
export const parityCases: ParityCase[] | null = sharedLines<ParityCase>('accuracy/parity.jsonl');
