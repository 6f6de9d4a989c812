import { setTimeout as wait } from 'node:timers/promises';

/** The clock and the waits of retries. */
export interface Timing {
  /** Returns a monotonic time in ms. */
  readonly nowMs: () => number;
  /** Resolves after `ms`, or when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const REAL_TIMING: Timing = {
  nowMs: () => performance.now(),
  sleep: async (ms, signal) => {
    // The only error is the abort of the signal.
    await wait(ms, undefined, { signal }).catch(() => {});
  },
};
