import type { PercentileEstimates } from '../../../src/percentile/estimator.ts';
import { readSharedLines } from './sharedData.ts';
import type { Scrapes } from './windows.ts';

/** A small input with the exact output of AIPerf's algorithm and its learned moments. */
export interface ParityCase extends Scrapes {
  readonly id: string;
  readonly note: string;
  /** Index of the first scrape used for learning. */
  readonly start_idx: number;
  /** Cumulative increase over the period by bound; can differ from the increase between the scrapes. */
  readonly bucket_deltas: Record<string, number>;
  readonly total_sum: number | null;
  readonly total_count: number;
  readonly stats: Record<string, { estimated_mean: number; estimated_variance: number | null }>;
  readonly expected: PercentileEstimates | null;
  readonly prometheus: Record<keyof PercentileEstimates, number | null>;
}

/** Null if the shared test data is missing. */
export const parityCases: ParityCase[] | null = readSharedLines<ParityCase>('accuracy/parity.jsonl');
