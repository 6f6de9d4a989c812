/** The intended send times of requests in open loop, independent of when responses arrive. */
export interface ArrivalSchedule {
  /** Returns the next time in ns since the start of the phase, in ascending order; undefined after the last one. */
  next(): number | undefined;
}

/** Creates a schedule from times in ms, such as a trace's. Throws if they are not in ascending order. */
export function createFixedSchedule(timesMs: readonly number[]): ArrivalSchedule {
  timesMs.forEach((time, index) => {
    if (!(time >= (timesMs[index - 1] ?? 0)))
      throw new RangeError(
        `invalid fixed schedule: entry ${index} is at ${time} ms; expected times of at least 0 in ascending order`,
      );
  });
  let index = 0;
  return {
    next() {
      const time = timesMs[index++];
      return time === undefined ? undefined : Math.round(time * 1e6);
    },
  };
}
