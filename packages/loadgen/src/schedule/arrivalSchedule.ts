import type { Random } from '@org/core';
import { createRateCurve, type RatePoint } from './rateCurve.ts';

/** The intended send times of requests in open loop. They do not depend on responses. */
export interface ArrivalSchedule {
  /**
   * Returns the next send time, in ns since the start of the phase; undefined after the last one. Times are
   * ascending.
   */
  next(): number | undefined;
}

/**
 * Creates a schedule from send times in ms, such as those of a trace. Throws RangeError if a time is negative
 * or the times are not in ascending order.
 */
export function createFixedSchedule(timesMs: readonly number[]): ArrivalSchedule {
  timesMs.forEach((timeMs, index) => {
    if (!(timeMs >= (timesMs[index - 1] ?? 0)))
      throw new RangeError(
        `invalid fixed schedule: entry ${index} is at ${timeMs} ms; expected times of at least 0 in ascending order`,
      );
  });
  let index = 0;
  return {
    next() {
      const timeMs = timesMs[index++];
      return timeMs === undefined ? undefined : Math.round(timeMs * 1e6);
    },
  };
}

/** The distributions of the time between requests. */
export const ARRIVAL_PATTERNS = ['constant', 'poisson', 'gamma'] as const;
/** A distribution of the time between requests. */
export type ArrivalPattern = (typeof ARRIVAL_PATTERNS)[number];

/** Options of {@link createRateSchedule}. */
export interface RateOptions {
  /** Requests per second after the ramp. */
  readonly perSecond: number;
  readonly pattern: ArrivalPattern;
  /** Shape of the gamma pattern; 1 by default. */
  readonly smoothness?: number;
  /** Duration of a linear ramp from rate 0, in seconds; 0 by default. */
  readonly rampS?: number;
  /** Rates after the ramp, instead of `perSecond`. */
  readonly series?: readonly RatePoint[];
}

/** Creates a schedule from a function that returns the send time of each arrival, in seconds. */
export function createListedSchedule(findTimeS: (index: number) => number): ArrivalSchedule {
  let index = 0;
  return { next: () => Math.round(findTimeS(index++) * 1e9) };
}

/**
 * Creates a schedule for a request rate. Gaps are drawn for a process of rate 1 and mapped through the inverse
 * of the expected number of arrivals (time rescaling; Daley and Vere-Jones, section 7.4), so that a ramp keeps
 * the pattern. With the constant pattern the first arrival is at 0. Throws RangeError for invalid options.
 */
export function createRateSchedule(options: RateOptions, random: Random): ArrivalSchedule {
  const { perSecond, pattern, smoothness = 1, rampS = 0, series } = options;
  if (!(perSecond > 0 && perSecond <= 1e6))
    throw new RangeError(`request rate is ${perSecond}; expected a number greater than 0, up to 1000000`);
  if (!(rampS >= 0 && rampS < 1e7))
    throw new RangeError(`rate ramp is ${rampS} s; expected a number of at least 0`);
  const drawGap = createGapSource(pattern, smoothness, random);
  const curve = createRateCurve({ perSecond, rampS, series });
  let expected = pattern === 'constant' ? -1 : 0;
  return {
    next() {
      expected += drawGap();
      return Math.round(curve.findTime(expected) * 1e9);
    },
  };
}

/** Minimum shape of gamma arrivals. With smaller shapes, practically all gaps are 0. */
export const MIN_SMOOTHNESS = 0.001;

/** Draws the gap to the next arrival, in units of the mean gap. */
export type GapSource = () => number;

/**
 * Creates a source of gaps with mean 1. `smoothness` is the shape of the gamma distribution: 1 results in
 * Poisson arrivals, lower values in bursts, and higher values in more regular arrivals. vLLM calls this
 * parameter burstiness. Throws RangeError for an unknown pattern or an invalid shape.
 */
export function createGapSource(pattern: ArrivalPattern, smoothness: number, random: Random): GapSource {
  switch (pattern) {
    case 'constant':
      return () => 1;
    case 'poisson':
      return () => random.exponential(1);
    case 'gamma':
      if (!(smoothness >= MIN_SMOOTHNESS && Number.isFinite(smoothness)))
        throw new RangeError(`smoothness is ${smoothness}; expected a number of at least ${MIN_SMOOTHNESS}`);
      return () => random.gamma(smoothness, 1 / smoothness);
    default:
      throw new RangeError(
        `arrival pattern is ${JSON.stringify(pattern)}; expected one of ${ARRIVAL_PATTERNS.join(', ')}`,
      );
  }
}
