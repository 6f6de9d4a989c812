import { prepareLateImport } from '../lifecycle/lateImport.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { ProfileOptions, ProfileResult } from './profileResult.ts';

/**
 * Sends the requests of a plan to the servers, scrapes their endpoints on the same clock, and writes all
 * exports.
 *
 * Throws `RunInputError` or its subclass `PlanError` for inputs, tokenizers and folders that cannot be used.
 * Failures after the first request do not throw: they are part of the result.
 */
export async function profile(plan: ProfilePlan, options: ProfileOptions = {}): Promise<ProfileResult> {
  // Collect runs must not load the load generator.
  prepareLateImport();
  const { runProfile } = await import('./profileRun.ts');
  return runProfile(plan, options);
}
