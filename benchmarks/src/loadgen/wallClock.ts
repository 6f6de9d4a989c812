import { hrtime } from 'node:process';

const MEASUREMENTS = 20;

/**
 * Measures the offset of the wall clock from the system's monotonic clock, in nanoseconds, with an error of
 * about a microsecond. Node returns wall time in whole milliseconds, but the moment at which the value changes
 * is exact. The monotonic clock is read slightly after the change, so each measured offset is too small, and
 * the largest measurement has the smallest error.
 */
export function measureWallOffsetNs(): bigint {
  let offset = measureAtTick();
  for (let count = 1; count < MEASUREMENTS; count++) {
    const next = measureAtTick();
    if (next > offset) offset = next;
  }
  return offset;
}

function measureAtTick(): bigint {
  const startMs = Date.now();
  for (;;) {
    const nowMs = Date.now();
    if (nowMs !== startMs) return BigInt(nowMs) * 1_000_000n - hrtime.bigint();
  }
}
