import type { Clock } from '@org/core';

/**
 * Returns the clock of this process. Its wall time is based on the process start time and has a resolution
 * of one microsecond.
 */
export function createSystemClock(): Clock {
  const wallNs = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
  const monotonicNs = process.hrtime.bigint();
  return {
    nowNs: () => wallNs + (process.hrtime.bigint() - monotonicNs),
    monotonicMs: () => performance.now(),
  };
}
