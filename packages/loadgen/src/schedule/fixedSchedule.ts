import type { Arrivals } from './arrivalSchedule.ts';

/**
 * Arrivals at given times, ms in ascending order: a trace that is played again. Throws when one goes back.
 */
export function fixedArrivals(timesMs: readonly number[]): Arrivals {
  timesMs.forEach((time, index) => {
    if (!(time >= (timesMs[index - 1] ?? 0)))
      throw new RangeError(
        `fixed schedule: entry ${index} is at ${time} ms; times from 0 in ascending order are accepted`,
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
