import type { Inputs } from '../input/conversation.ts';
import type { PhaseOptions } from './loadOptions.ts';
import type { PhasePlan } from './phasePlan.ts';

/** First conversation of the warm-up if inputs are unlimited; profiling, which starts at 0, never reaches it. */
export const WARMUP_OFFSET: number = 2 ** 32;

/**
 * Returns the index of the first conversation of a phase. Profiling uses the same conversations in each run with the same options,
 * even after a warm-up of a fixed duration. As far as inputs permit, the phases use different conversations, because the prefix
 * cache of a server may contain the conversations of the warm-up. `used` is the number of conversations used by the warm-up.
 */
export function findFirstConversation(
  { phase, isScheduled }: Pick<PhasePlan, 'phase' | 'isScheduled'>,
  { size }: Pick<Inputs, 'size'>,
  warmup: PhaseOptions | undefined,
  used: number,
): number {
  // The times of a schedule belong to its conversations.
  if (isScheduled) return 0;
  if (size === undefined) return phase === 'warmup' ? WARMUP_OFFSET : 0;
  const isCounted = warmup?.requestCount !== undefined || warmup?.sessionCount !== undefined;
  if (isCounted) return used;
  return phase === 'warmup' ? Math.floor(size / 2) : 0;
}
