/** A phase with a linearly changing arrival rate, in requests/s. */
export interface LoadPhase {
  readonly durationS: number;
  readonly fromRate: number;
  readonly toRate: number;
}

/** Arrival rate over time, as consecutive phases. There are no arrivals after the last phase. */
export type Load = readonly LoadPhase[];

/** Names of the predefined loads. */
export type LoadName = 'ramp' | 'steady' | 'overload' | 'idle-tail';

/** Creates an endless load with a constant rate, in requests/s. Throws RangeError for a negative rate. */
export function createConstantLoad(rate: number): Load {
  if (!(rate >= 0)) throw new RangeError(`arrival rate is ${rate}; expected a number of at least 0`);
  return [{ durationS: Number.POSITIVE_INFINITY, fromRate: rate, toRate: rate }];
}

/**
 * Creates a predefined load of `durationS` seconds, relative to `capacity`, the highest rate (requests/s)
 * that the server sustains.
 *
 * - `ramp`: from 5% to 120% of the capacity
 * - `steady`: 60% of the capacity
 * - `overload`: 50% of the capacity, then 150%, so that queues grow and the cache overflows
 * - `idle-tail`: 60% of the capacity for 60% of the duration, then no requests
 */
export function createNamedLoad(name: LoadName, durationS: number, capacity: number): Load {
  const createPhase = (share: number, from: number, to: number): LoadPhase => ({
    durationS: share * durationS,
    fromRate: from * capacity,
    toRate: to * capacity,
  });
  switch (name) {
    case 'ramp':
      return [createPhase(1, 0.05, 1.2)];
    case 'steady':
      return [createPhase(1, 0.6, 0.6)];
    case 'overload':
      return [createPhase(0.2, 0.5, 0.5), createPhase(0.8, 1.5, 1.5)];
    case 'idle-tail':
      return [createPhase(0.6, 0.6, 0.6), createPhase(0.4, 0, 0)];
  }
}

/** Returns the maximum rate of a load, in requests/s. */
export function computePeakRate(load: Load): number {
  return Math.max(0, ...load.flatMap(({ fromRate, toRate }) => [fromRate, toRate]));
}

/** Returns the rate `seconds` after the start, in requests/s; undefined after the end of the load. */
export function computeRate(load: Load, seconds: number): number | undefined {
  let remainingS = seconds;
  for (const { durationS, fromRate, toRate } of load) {
    if (remainingS < durationS) return fromRate + ((toRate - fromRate) * remainingS) / durationS;
    remainingS -= durationS;
  }
  return undefined;
}
