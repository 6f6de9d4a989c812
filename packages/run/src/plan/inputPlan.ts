import type { Sampling, Spread } from '@org/loadgen';

export const DATASET_TYPES = ['single_turn', 'multi_turn', 'mooncake_trace'] as const;

/** The format of an input file. */
export type DatasetType = (typeof DATASET_TYPES)[number];

/** The prompts of a run: synthetic prompts, or the prompts of a file. Lengths are in tokens. */
export interface InputPlan {
  readonly inputTokens: Spread;
  readonly outputTokens?: Spread;
  readonly turns?: Spread;
  readonly turnDelayMs?: Spread;
  readonly sharedSystemTokens?: number;
  /** Number of distinct conversations to generate. */
  readonly entries?: number;
  /** Absolute path of an input file, instead of synthetic prompts. */
  readonly file?: string;
  /** Format of `file`; detected by default. */
  readonly datasetType?: DatasetType;
  readonly sampling: Sampling;
  /** True to start conversations at the timestamps of the file. */
  readonly fixedSchedule: boolean;
  /** Offset of the first timestamp to use, in milliseconds. */
  readonly startMs?: number;
  /** Offset of the last timestamp to use, in milliseconds. */
  readonly endMs?: number;
}
