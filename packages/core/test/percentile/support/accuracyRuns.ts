import type { PercentileEstimates } from '../../../src/percentile/estimator.ts';
import { readSharedLines } from './sharedData.ts';
import type { Scrapes } from './windows.ts';

/** A simulated run with the true percentiles of the observations after the reference sample. */
export interface Run extends Scrapes {
  readonly id: string;
  readonly family: string;
  readonly rate: number;
  readonly reference_index: number;
  readonly truth: PercentileEstimates;
}

/** Null if the shared test data is missing. */
export const runs: Run[] | null = readSharedLines<Run>('accuracy/dev.jsonl');
