import { hrtime } from 'node:process';

const EDGES = 20;

/**
 * Wall time minus the system's monotonic clock, ns, to about a microsecond. Node tells the wall in whole milliseconds only; the
 * moment at which it moves on is exact. The monotonic clock is read a little later, which makes the offset too small: the largest
 * of several is the one at which nothing came in between.
 */
export function wallOffsetNs(): bigint {
  let offset = edge();
  for (let edges = 1; edges < EDGES; edges++) {
    const other = edge();
    if (other > offset) offset = other;
  }
  return offset;
}

function edge(): bigint {
  const before = Date.now();
  for (;;) {
    const now = Date.now();
    if (now !== before) return BigInt(now) * 1_000_000n - hrtime.bigint();
  }
}
