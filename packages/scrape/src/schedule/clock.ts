import type { Clock } from '@org/core';

/**
 * Creates a clock that starts at the current wall time, read with a resolution of one microsecond.
 */
export function createSystemClock(): Clock {
  const startWallNs = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
  const startMonotonicNs = process.hrtime.bigint();
  return {
    nowNs: () => startWallNs + (process.hrtime.bigint() - startMonotonicNs),
    monotonicMs: () => performance.now(),
  };
}
