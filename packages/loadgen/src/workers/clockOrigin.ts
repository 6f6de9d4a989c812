import { performance } from 'node:perf_hooks';
import { hrtime } from 'node:process';
import type { Clock } from '@org/core';
import { RunClock } from '../clock.ts';

/**
 * The origin of a run for all threads of a process. `performance.now()` starts at a different time in each
 * thread, and its start is known only in wall-clock time, which may step. `process.hrtime` reads the same
 * monotonic clock in all threads.
 */
export interface ClockOrigin {
  /** Unix time in ns. */
  readonly wallNs: bigint;
  /** Time of `process.hrtime` at the same moment. */
  readonly monotonicNs: bigint;
}

/** Number of attempts to read two clocks at the same moment; the fastest attempt is used. */
const ATTEMPTS = 100;

/** Reads the current time from a wall clock and from the monotonic clock. */
export function readOrigin(clock: Clock): ClockOrigin {
  const { value, atNs } = readAtMonotonicTime(() => clock.nowNs());
  return { wallNs: value, monotonicNs: atNs };
}

/** Creates the clock of a run for this thread. The clocks of all threads agree to within a microsecond. */
export function createRunClock({ wallNs, monotonicNs }: ClockOrigin): RunClock {
  const { value, atNs } = readAtMonotonicTime(() => performance.now());
  const clock = {
    nowNs: () => wallNs + (hrtime.bigint() - monotonicNs),
    monotonicMs: () => performance.now(),
  };
  return new RunClock(clock, { wallNs, monotonicMs: value - Number(atNs - monotonicNs) / 1e6 });
}

/** Reads a value together with the time of the monotonic clock. */
function readAtMonotonicTime<T>(read: () => T): { value: T; atNs: bigint } {
  let best: { value: T; atNs: bigint; gapNs: bigint } | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = hrtime.bigint();
    const value = read();
    const after = hrtime.bigint();
    const gapNs = after - before;
    if (!best || gapNs < best.gapNs) best = { value, atNs: before + gapNs / 2n, gapNs };
  }
  return best!;
}
