import type { PercentileEstimates } from '../../../src/percentile/estimator.ts';
import { sharedLines } from './sharedData.ts';
import type { Scrapes } from './windows.ts';

/** A simulated run with the percentiles of what was really observed after the reference. */
export interface Run extends Scrapes {
  readonly id: string;
  readonly family: string;
  readonly rate: number;
  readonly reference_index: number;
  readonly truth: PercentileEstimates;
}

/** Null when the shared test data is not there. */
export const runs: Run[] | null = sharedLines<Run>('accuracy/dev.jsonl');
