/** A wall clock that never steps: the system's wall clock is read once, and the monotonic clock advances it. */
export interface Clock {
  /** Returns the Unix time in ns. */
  nowNs(): bigint;
  /** Returns the time of the monotonic clock in ms. Its origin is arbitrary. */
  monotonicMs(): number;
}
