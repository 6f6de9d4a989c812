import type { RunEvent } from '../events.ts';
import type { ProfileResult } from '../profile/profileResult.ts';
import type { PlannedRun } from './repeatPlan.ts';
import type { RunOutcome } from './runOutcome.ts';

/** Something that happened during repeated runs. Includes the events of the active run. */
export type RepeatEvent =
  | RunEvent
  | { readonly type: 'cooldown_started'; readonly seconds: number; readonly next: PlannedRun }
  | { readonly type: 'cooldown_ended' }
  | { readonly type: 'run_started'; readonly run: PlannedRun /** From 0. */; readonly index: number }
  /** `result` is absent if the run threw an error. */
  | { readonly type: 'run_ended'; readonly outcome: RunOutcome; readonly result?: ProfileResult };
