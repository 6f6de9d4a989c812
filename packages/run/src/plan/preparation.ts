import type { HookOptions, ProbeOptions } from '@org/loadgen';

/** Requests that prepare the servers of a run. They are not part of the load. */
export interface Preparation {
  /** Wait before the run until each model of each server is ready. */
  readonly waitForModels?: ProbeOptions;
  /** Reset the caches of the servers before the run. */
  readonly resetCache?: HookOptions;
  /** Start the profilers of the servers before profiling, and stop them after it. */
  readonly profiler?: { readonly start: HookOptions; readonly stop: HookOptions };
}
