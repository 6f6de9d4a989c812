import type { RunInfo } from '@org/formats';
import { formatRunLabel } from '@org/record';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { RunContext } from '../runContext.ts';
import type { ProfileOptions } from './profileResult.ts';

/** Creates `run_info`. By default, the run is the only one of its benchmark. */
export function createRunInfo(
  { plan, benchmarkId, cliCommand }: RunContext<ProfilePlan>,
  position: ProfileOptions['runInfo'],
): RunInfo {
  return {
    random_seed: plan.seed,
    trial: 0,
    run_label: formatRunLabel(0),
    variation_label: 'base',
    variation_index: 0,
    variation_values: {},
    ...position,
    benchmark_id: benchmarkId,
    ...(cliCommand === undefined ? {} : { cli_command: cliCommand }),
  };
}
