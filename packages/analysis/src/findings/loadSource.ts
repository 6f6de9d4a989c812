import type { Run } from '../run/run.ts';

/** Reports whether the load of a run came from the load generator that wrote the exports, not from another program. */
export function hasOwnLoad({ profile, inputConfig }: Pick<Run, 'profile' | 'inputConfig'>): boolean {
  return profile !== undefined || inputConfig.phases !== undefined;
}
