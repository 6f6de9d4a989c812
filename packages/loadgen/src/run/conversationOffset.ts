import type { Inputs } from '../input/conversation.ts';
import type { PhaseOptions } from './loadOptions.ts';
import type { PhasePlan } from './phase.ts';

/** Where inputs without an end have those of the warm-up: nobody comes here from 0. */
export const WARMUP_FIRST: number = 2 ** 32;

/**
 * The first conversation of a phase. Profiling has the same ones whenever a run is repeated, also behind a warm-up that takes as
 * many as there is time for; as long as there are others, they are not those of the warm-up, which a server may remember.
 * `used`: conversations that the warm-up has used.
 */
export function firstConversation(
  { phase, isScheduled }: Pick<PhasePlan, 'phase' | 'isScheduled'>,
  { size }: Pick<Inputs, 'size'>,
  warmup: PhaseOptions | undefined,
  used: number,
): number {
  // A schedule belongs to its conversations.
  if (isScheduled) return 0;
  if (size === undefined) return phase === 'warmup' ? WARMUP_FIRST : 0;
  const isCounted = warmup?.requestCount !== undefined || warmup?.sessionCount !== undefined;
  if (isCounted) return used;
  return phase === 'warmup' ? Math.floor(size / 2) : 0;
}
