import { hrtime } from 'node:process';

const MEASUREMENTS = 20;

/**
 * Measures wall time minus the system's monotonic clock, in ns, to about a microsecond. Node returns wall
 * time in whole milliseconds, but the moment at which it changes is exact. The monotonic clock is read
 * slightly later, so that the offset is too small; the largest of several measurements has the smallest
 * error.
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
  const before = Date.now();
  for (;;) {
    const now = Date.now();
    if (now !== before) return BigInt(now) * 1_000_000n - hrtime.bigint();
  }
}
