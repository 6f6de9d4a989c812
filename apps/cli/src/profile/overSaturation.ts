import { DEFAULT_WINDOW_SECONDS, MIN_WINDOW_SECONDS, type ProfilePlan } from '@org/run';
import { createOptionError, type RawOptions, readSeconds } from '@org/terminal/program';
import type { IneffectiveOptions } from '../options/ineffective.ts';

/** Reads --stop-over-saturated and --over-saturation-window. Throws `UsageError` if the window is too short. */
export function readOverSaturation(raw: RawOptions): number | undefined {
  const seconds = readSeconds(raw, 'over-saturation-window', 0);
  if (seconds !== undefined && seconds < MIN_WINDOW_SECONDS)
    throw createOptionError(
      'over-saturation-window',
      raw['over-saturation-window'],
      `at least ${MIN_WINDOW_SECONDS} seconds`,
    );
  return raw['stop-over-saturated'] === true ? (seconds ?? DEFAULT_WINDOW_SECONDS) : undefined;
}

/** Lists the options that have no effect in the load of a run. */
export function listOverSaturationRules({
  profiling: { rate, fixedSchedule },
  overSaturationSeconds,
}: Pick<ProfilePlan, 'profiling' | 'overSaturationSeconds'>): IneffectiveOptions[] {
  return [
    {
      options: ['stop-over-saturated'],
      when: rate === undefined && fixedSchedule !== true,
      reason: 'with only --concurrency, which limits the queues of the servers; set --request-rate',
    },
    {
      options: ['over-saturation-window'],
      when: overSaturationSeconds === undefined,
      reason: 'without --stop-over-saturated',
    },
  ];
}
