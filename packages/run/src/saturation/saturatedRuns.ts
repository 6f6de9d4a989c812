import type { ProfileExport } from '@org/formats';
import { describeOverSaturation } from '@org/record';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { DEFAULT_WINDOW_SECONDS } from './saturationRule.ts';

/** Describes why the load of a run was ended; undefined unless its servers were over-saturated. */
export function describeSaturation({ load_generator: load }: ProfileExport): string | undefined {
  return load?.over_saturation && describeOverSaturation(load.over_saturation);
}

/**
 * Ends the load of a probe of a search when the servers are over-saturated. A closed loop limits the queues, so that they do
 * not grow.
 */
export function watchSaturation<T extends Pick<ProfilePlan, 'profiling' | 'overSaturationSeconds'>>(
  profile: T,
): T {
  const isOpenLoop = profile.profiling.rate !== undefined;
  return isOpenLoop ? { overSaturationSeconds: DEFAULT_WINDOW_SECONDS, ...profile } : profile;
}
