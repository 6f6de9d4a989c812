import type { RunPlan } from './runPlan.ts';

/** A run that scrapes endpoints while a workload runs, for a fixed duration, or until it is interrupted. */
export interface CollectPlan extends RunPlan {
  /** Duration of the warm-up, in seconds; 0 by default. Statistics exclude the warm-up. */
  readonly warmupSeconds?: number;
  /** Duration of profiling, in seconds. Not allowed together with a workload. */
  readonly durationSeconds?: number;
  /** Command line of the workload. It is recorded in the exports without its secrets, and not executed. */
  readonly command?: readonly string[];
  /** Path of the configuration file that lists the targets. It is recorded in the exports, and not read. */
  readonly config?: string;
}
