/** A stretch of time in which the arrival rate goes in a straight line from one value to another, in requests/s. */
export interface LoadPhase {
  readonly durationS: number;
  readonly fromRate: number;
  readonly toRate: number;
}

/** Arrival rate over time: one phase after the other, and no arrivals after the last. */
export type Load = readonly LoadPhase[];

/** The loads that have a name. */
export type LoadName = 'ramp' | 'steady' | 'overload' | 'idle-tail';

/** A rate that stays as it is, for ever. */
export function constantLoad(rate: number): Load {
  if (!(rate >= 0)) throw new RangeError(`arrival rate is ${rate}; a number from 0 is accepted`);
  return [{ durationS: Number.POSITIVE_INFINITY, fromRate: rate, toRate: rate }];
}

/**
 * A named load for a run of `durationS` seconds, in multiples of `capacity`, the rate (requests/s) that the
 * server can just sustain.
 *
 * - `ramp`: from almost nothing to 1.2 times the capacity
 * - `steady`: at 0.6 of the capacity throughout
 * - `overload`: 0.5 to begin with, then 1.5 times the capacity: queues grow, the cache overflows
 * - `idle-tail`: at 0.6 for the first 60 % of the run, then nothing
 */
export function namedLoad(name: LoadName, durationS: number, capacity: number): Load {
  const phase = (share: number, from: number, to: number): LoadPhase => ({
    durationS: share * durationS,
    fromRate: from * capacity,
    toRate: to * capacity,
  });
  switch (name) {
    case 'ramp':
      return [phase(1, 0.05, 1.2)];
    case 'steady':
      return [phase(1, 0.6, 0.6)];
    case 'overload':
      return [phase(0.2, 0.5, 0.5), phase(0.8, 1.5, 1.5)];
    case 'idle-tail':
      return [phase(0.6, 0.6, 0.6), phase(0.4, 0, 0)];
  }
}

/** Highest rate of a load. */
export function peakRate(load: Load): number {
  return Math.max(0, ...load.flatMap(({ fromRate, toRate }) => [fromRate, toRate]));
}

/** Rate at a time, or undefined once the load is over. */
export function rateAt(load: Load, seconds: number): number | undefined {
  let left = seconds;
  for (const { durationS, fromRate, toRate } of load) {
    if (left < durationS) return fromRate + ((toRate - fromRate) * left) / durationS;
    left -= durationS;
  }
  return undefined;
}
