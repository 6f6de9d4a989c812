import type { SimulatedRunOptions } from './simulatedRun.ts';

/** Requests per second in the base runs: about a third of the capacity of the simulated server. */
const BASE_RATE = 12;

/** A healthy server under constant load. */
export const BASE: SimulatedRunOptions = { arrivalRate: BASE_RATE };

/** Causes of a collapse: the queue grows during the whole run. */
export const COLLAPSES: Readonly<Record<string, SimulatedRunOptions>> = {
  'four times the load': { arrivalRate: 4 * BASE_RATE },
  'twice the load on a slow server': { arrivalRate: 2 * BASE_RATE, speed: 0.45 },
  'a small batch': { arrivalRate: BASE_RATE, maxRunning: 8 },
  'a small KV cache': { arrivalRate: BASE_RATE, kvBlocks: 520 },
};

/** Loads that exceed the capacity only at the end of the run, after this share of it. */
export const LATE_COLLAPSES: Readonly<Record<string, SimulatedRunOptions>> = {
  'in the last quarter': createLateCollapse(55),
  'in the last eighth': createLateCollapse(62),
};

function createLateCollapse(startS: number): SimulatedRunOptions {
  return {
    load: [
      { durationS: startS, fromRate: BASE_RATE, toRate: BASE_RATE },
      { durationS: 70 - startS, fromRate: 5 * BASE_RATE, toRate: 5 * BASE_RATE },
    ],
  };
}

/** Overloaded servers: the queues of all of them grow during the whole run, at different rates. */
export const OVERLOADED: SimulatedRunOptions = { arrivalRate: 60 };
export const STEEPER_COLLAPSES: Readonly<Record<string, SimulatedRunOptions>> = {
  '5% slower steps': { ...OVERLOADED, speed: 1 / 1.05 },
  '20% slower steps': { ...OVERLOADED, speed: 1 / 1.2 },
  '50% slower steps': { ...OVERLOADED, speed: 1 / 1.5 },
};

/** Slowdowns of every step of the engine, in percent. */
export const SLOWDOWNS = [5, 10, 20] as const;

/** Creates a server whose steps take `percent` longer. */
export function createSlowServer(percent: number): SimulatedRunOptions {
  return { ...BASE, speed: 1 / (1 + percent / 100) };
}

/** Loads under which two equal servers must not be reported as different, although their slices vary much. */
export const HARD_LOADS: Readonly<Record<string, SimulatedRunOptions>> = {
  'at 2 requests/s': { arrivalRate: 2 },
  'at 83% of the capacity': { arrivalRate: 35 },
  'at 98% of the capacity': { arrivalRate: 41 },
  overloaded: OVERLOADED,
  preempting: { arrivalRate: 34, kvBlocks: 1400 },
  'in bursts': {
    load: Array.from({ length: 20 }, (_, i) => {
      const rate = i % 2 === 0 ? 5 : 35;
      return { durationS: 5, fromRate: rate, toRate: rate };
    }),
  },
  'with rising load': { load: [{ durationS: 70, fromRate: 4, toRate: 36 }] },
  'without warm-up': { ...BASE, warmupSeconds: 0 },
  'for 20 s': { ...BASE, seconds: 20 },
  'with timeslices of 1 s': { ...BASE, sliceSeconds: 1 },
};
