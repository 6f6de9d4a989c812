import { type Boundary, estimateBoundary, type Probe, planBoundary, type StopReason } from '@org/search';
import type { SimulatorOptions } from '@org/simulator';
import { type ClosedLoop, computePercentile, runClosedLoop } from './closedLoop.ts';

/** A search for the highest concurrency at which the p95 of the time to first token is below a limit. */
export interface SimulatedSearch {
  readonly loop: Omit<ClosedLoop, 'concurrency'>;
  readonly limitMs: number;
  readonly low: number;
  readonly high: number;
  readonly precision: number;
}

/** The result of a search in simulated time. */
export interface SearchOutcome {
  readonly probes: readonly Probe[];
  readonly reason: StopReason;
  readonly boundary: Boundary;
}

const SHARE = 0.95;
const REPLICATES = 3;
const MAX_PROBES = 60;
const LEVEL = 0.95;

/**
 * Searches with the planner of `servelens profile`, and measures each probe in simulated time. No two probes have the same
 * seed, so that repeats differ.
 */
export function searchSimulatedServer(
  search: SimulatedSearch,
  options: Partial<SimulatorOptions> & Pick<SimulatorOptions, 'seed'>,
): SearchOutcome {
  const { low, high, precision } = search;
  const settings = {
    dimension: { low, high, isInteger: true },
    precision,
    replicates: REPLICATES,
    level: LEVEL,
    maxProbes: MAX_PROBES,
  };
  const probes: Probe[] = [];
  for (;;) {
    const step = planBoundary(probes, settings);
    if (step.kind === 'stop')
      return { probes, reason: step.reason, boundary: estimateBoundary(probes, LEVEL) };
    const seed = options.seed * MAX_PROBES + probes.length;
    probes.push(measureProbe(search, step.values[0]!, step.mayEndEarly, { ...options, seed }));
  }
}

/** Measures a probe. A probe that may end early has no margin if it fails, because its later requests are not measured. */
function measureProbe(
  { loop, limitMs }: SimulatedSearch,
  concurrency: number,
  mayEndEarly: boolean,
  options: Partial<SimulatorOptions>,
): Probe {
  const { firstTokenMs } = runClosedLoop({ ...loop, concurrency }, options);
  const margin = computePercentile(firstTokenMs, SHARE) / limitMs - 1;
  const values = [concurrency];
  if (margin < 0) return { values, verdict: 'passed', margin };
  return mayEndEarly
    ? { values, verdict: 'failed', endedEarly: true }
    : { values, verdict: 'failed', margin };
}
