import type { Convergence } from '@org/formats';
import type { RunEvent } from '../events.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { FormatConsole, ProfileResult } from '../profile/profileResult.ts';
import type { RunOptions } from '../runContext.ts';
import type { Measurement } from '../search/measureRun.ts';
import type { PrefixCacheReuse } from './prefixCacheReuse.ts';
import type { PlannedRun, RepeatPlan, Variation } from './repeatPlan.ts';
import type { RunOutcome } from './runOutcome.ts';
import type { SequenceResult } from './runSequence.ts';
import type { RepeatExports } from './writeRepeated.ts';

/** A repeated benchmark or sweep. */
export interface RepeatedProfilePlan {
  /** Folder of all runs; it is created if it does not exist. */
  readonly folder: string;
  readonly runs: RepeatPlan;
  /** Plans of the variations, by index. Their folders and seeds are replaced. */
  readonly profiles: readonly ProfilePlan[];
  /** Creates the plan of a variation that a search has added. The first of `profiles` applies to the search as a whole. */
  readonly createProfile?: (variation: Variation) => ProfilePlan;
}

/** An event of repeated runs. Includes the events of the active run. */
export type RepeatEvent =
  | RunEvent
  | { readonly type: 'cooldown_started'; readonly seconds: number; readonly next: PlannedRun }
  | { readonly type: 'cooldown_ended' }
  /** The rule that ends runs early was checked. `remaining` is the number of runs of the variation that are left. */
  | {
      readonly type: 'convergence_checked';
      readonly run: PlannedRun;
      readonly convergence: Convergence;
      readonly remaining: number;
    }
  /** `index` is the position in the sequence, starting at 0. */
  | { readonly type: 'run_started'; readonly run: PlannedRun; readonly index: number }
  /** `result` is absent if the run threw an error, and `measurement` outside of searches. */
  | {
      readonly type: 'run_ended';
      readonly outcome: RunOutcome;
      readonly result?: ProfileResult;
      readonly measurement?: Measurement;
    };

export interface RepeatOptions extends Omit<RunOptions, 'onEvent'> {
  /** Receives the events of the sequence and of its active run. */
  readonly onEvent?: (event: RepeatEvent) => void;
  /** Formats the result of each run for a file; see `ProfileOptions`. */
  readonly formatConsole?: FormatConsole;
}

/** The result of a repeated benchmark or sweep. */
export interface RepeatResult extends SequenceResult {
  /** Aggregates of the variations, and of the sweep. */
  readonly exports: RepeatExports;
  /** True if all exports of all runs and all aggregates are written. */
  readonly isWritten: boolean;
  /** Present if later runs were served from the prefix cache that the first run filled. */
  readonly prefixCacheReuse?: PrefixCacheReuse;
}
