import type { Random } from '@org/core';
import { type ArrivalPattern, gapsOf } from './arrivalPattern.ts';
import type { Arrivals } from './arrivalSchedule.ts';

export interface RateOptions {
  /** Requests/s, once the ramp is over. */
  readonly perSecond: number;
  readonly pattern: ArrivalPattern;
  /** Shape of the gamma pattern; 1 by default. */
  readonly smoothness?: number;
  /** Seconds in which the rate rises from 0, in a straight line; 0 by default. */
  readonly rampS?: number;
}

/**
 * Arrivals at a rate. The gaps of the pattern are drawn for a process of rate 1 and its time is then stretched by the inverse
 * of the expected number of arrivals (time rescaling; Daley and Vere-Jones, section 7.4), so that a ramp keeps the pattern.
 * With the constant pattern the first arrival is at 0. Throws for a rate that cannot be.
 */
export function rateArrivals(options: RateOptions, random: Random): Arrivals {
  const { perSecond, pattern, smoothness = 1, rampS = 0 } = options;
  if (!(perSecond > 0 && perSecond <= 1e6))
    throw new RangeError(`request rate is ${perSecond}; a number above 0 and at most 1000000 is accepted`);
  if (!(rampS >= 0 && rampS < 1e7))
    throw new RangeError(`rate ramp is ${rampS} s; a number from 0 is accepted`);
  const gap = gapsOf(pattern, smoothness, random);
  let expected = pattern === 'constant' ? -1 : 0;
  return {
    next() {
      expected += gap();
      return Math.round(timeOf(expected, perSecond, rampS) * 1e9);
    },
  };
}

/** Seconds after which so many arrivals are expected, when the rate rises to `perSecond` within `rampS`. */
export function timeOf(expected: number, perSecond: number, rampS: number): number {
  const inRamp = (perSecond * rampS) / 2;
  return expected < inRamp
    ? Math.sqrt((2 * expected * rampS) / perSecond)
    : rampS + (expected - inRamp) / perSecond;
}
