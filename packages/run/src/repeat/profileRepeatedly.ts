import { prepareLateImport } from '../lifecycle/lateImport.ts';
import type { RepeatedProfilePlan, RepeatOptions, RepeatResult } from './repeatedProfile.ts';

/**
 * Executes the planned profile runs one after another, and writes aggregates. Failed runs do not end the sequence.
 *
 * Throws `RunInputError` if the folder cannot be used, or if the first run throws this error.
 */
export async function profileRepeatedly(
  plan: RepeatedProfilePlan,
  options: RepeatOptions = {},
): Promise<RepeatResult> {
  prepareLateImport();
  const { runRepeatedly } = await import('./repeatedRun.ts');
  return runRepeatedly(plan, options);
}
