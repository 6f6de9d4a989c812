import {
  type BoundarySettings,
  type Probe,
  type ProbeStep,
  planBoundary,
  type StopReason,
} from '../../src/index.ts';

/** The probes of a completed search, and why it ended. */
export interface CompletedSearch {
  readonly probes: readonly Probe[];
  readonly steps: readonly ProbeStep[];
  readonly reason: StopReason;
}

/** Searches a boundary. `measure` returns the margin of a value, or a whole probe. */
export function runSearch(
  settings: BoundarySettings,
  measure: (value: number, step: ProbeStep) => number | Omit<Probe, 'values'>,
): CompletedSearch {
  const probes: Probe[] = [];
  const steps: ProbeStep[] = [];
  for (;;) {
    const step = planBoundary(probes, settings);
    if (step.kind === 'stop') return { probes, steps, reason: step.reason };
    const result = measure(step.values[0]!, step);
    steps.push(step);
    probes.push({
      values: step.values,
      ...(typeof result === 'number'
        ? { verdict: result <= 0 ? ('passed' as const) : ('failed' as const), margin: result }
        : result),
    });
  }
}

/** Settings of most tests: an integer from 1 to 1000. */
export const SETTINGS: BoundarySettings = {
  dimension: { low: 1, high: 1000, isInteger: true },
  precision: 0.05,
  replicates: 3,
  level: 0.95,
  maxProbes: 60,
};
