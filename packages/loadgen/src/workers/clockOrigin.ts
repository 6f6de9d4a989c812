import { performance } from 'node:perf_hooks';
import { hrtime } from 'node:process';
import { type Clock, RunClock } from '../clock.ts';

/**
 * The origin of a run for all threads of a process. `performance.now()` begins anew in each thread, and where it began is known by
 * the wall clock only, which steps; `process.hrtime` is the system's monotonic clock in all of them.
 */
export interface Origin {
  /** ns since 1970. */
  readonly wallNs: bigint;
  /** The same moment by `process.hrtime`. */
  readonly monotonicNs: bigint;
}

/** How often two clocks are read beside each other: the pair that lies closest together counts. */
const TRIES = 100;

/** This moment by a wall clock and the monotonic one. */
export function originOf(clock: Clock): Origin {
  const { value, atNs } = together(() => clock.nowNs());
  return { wallNs: value, monotonicNs: atNs };
}

/** The time of a run in this thread. It agrees with that of the other threads to a microsecond. */
export function clockSince({ wallNs, monotonicNs }: Origin): RunClock {
  const { value, atNs } = together(() => performance.now());
  const clock = {
    nowNs: () => wallNs + (hrtime.bigint() - monotonicNs),
    monotonicMs: () => performance.now(),
  };
  return new RunClock(clock, { wallNs, monotonicMs: value - Number(atNs - monotonicNs) / 1e6 });
}

/** Reads something together with the monotonic clock. */
function together<T>(read: () => T): { value: T; atNs: bigint } {
  let best: { value: T; atNs: bigint; gapNs: bigint } | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = hrtime.bigint();
    const value = read();
    const after = hrtime.bigint();
    const gapNs = after - before;
    if (!best || gapNs < best.gapNs) best = { value, atNs: before + gapNs / 2n, gapNs };
  }
  return best!;
}
