/**
 * Wall time that never steps: the wall is read once, and from then on the monotonic clock carries it
 * (DESIGN, traps: "Clock steps").
 */
export interface Clock {
  /** ns since 1970. */
  nowNs(): bigint;
  /** ms of the monotonic clock; only differences mean something. */
  monotonicMs(): number;
}

/** The clock of this process. Its wall time is the one of the process' start, good to a microsecond. */
export function systemClock(): Clock {
  const wallNs = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
  const monotonicNs = process.hrtime.bigint();
  return {
    nowNs: () => wallNs + (process.hrtime.bigint() - monotonicNs),
    monotonicMs: () => performance.now(),
  };
}
