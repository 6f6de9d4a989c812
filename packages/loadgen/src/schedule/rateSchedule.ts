import type { Random } from '@org/core';
import { type ArrivalPattern, createGapSource } from './arrivalPattern.ts';
import type { ArrivalSchedule } from './arrivalSchedule.ts';

export interface RateOptions {
  /** Requests per second after the ramp. */
  readonly perSecond: number;
  readonly pattern: ArrivalPattern;
  /** Shape of the gamma pattern; 1 by default. */
  readonly smoothness?: number;
  /** Duration of a linear ramp from rate 0, in seconds; 0 by default. */
  readonly rampS?: number;
}

/**
 * Creates a schedule with a request rate. Gaps are drawn for a process of rate 1 and mapped through the inverse of the expected
 * number of arrivals (time rescaling; Daley and Vere-Jones, section 7.4), so that a ramp keeps the pattern. With the constant
 * pattern the first arrival is at 0. Throws for invalid options.
 */
export function createRateSchedule(options: RateOptions, random: Random): ArrivalSchedule {
  const { perSecond, pattern, smoothness = 1, rampS = 0 } = options;
  if (!(perSecond > 0 && perSecond <= 1e6))
    throw new RangeError(`request rate is ${perSecond}; expected a number above 0, up to 1000000`);
  if (!(rampS >= 0 && rampS < 1e7))
    throw new RangeError(`rate ramp is ${rampS} s; expected a number of at least 0`);
  const drawGap = createGapSource(pattern, smoothness, random);
  let expected = pattern === 'constant' ? -1 : 0;
  return {
    next() {
      expected += drawGap();
      return Math.round(computeArrivalTime(expected, perSecond, rampS) * 1e9);
    },
  };
}

/** Returns the seconds until `expected` arrivals are expected, if the rate rises to `perSecond` within `rampS`. */
export function computeArrivalTime(expected: number, perSecond: number, rampS: number): number {
  const inRamp = (perSecond * rampS) / 2;
  return expected < inRamp
    ? Math.sqrt((2 * expected * rampS) / perSecond)
    : rampS + (expected - inRamp) / perSecond;
}
