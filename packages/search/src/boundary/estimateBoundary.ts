import type { Probe } from '../search.ts';
import { type Evidence, findBracket, groupProbes } from './evidence.ts';
import { fitMedians, judgeEvidence } from './judgeEvidence.ts';
import { computeHalfWidth, measureNoise, type Noise } from './noise.ts';

/** A boundary and the evidence for it. */
export interface Boundary {
  /** The highest value that passed below all failures; absent if no value passed. */
  readonly passed?: number;
  /** The lowest value that failed; absent if none failed. */
  readonly failed?: number;
  /** False if a value failed and a higher one passed, beyond the noise of repeats. There is then no estimate. */
  readonly isMonotonic: boolean;
  /** The value at which the fitted margin is 0; absent without margins on both sides. */
  readonly estimate?: number;
  /** Confidence interval of the estimate; absent if no value was repeated. */
  readonly interval?: Interval;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Between 0 and 1. */
  readonly level: number;
  /** True if no probed value is certainly within the limits, so that the lower end is the lowest probed value. */
  readonly isLowOpen: boolean;
  /** True if no probed value certainly exceeds a limit, so that the upper end is the highest probed value. */
  readonly isHighOpen: boolean;
}

/** The fitted margin at a value, and half the width of its confidence interval. */
interface FittedPoint {
  readonly value: number;
  readonly margin: number;
  readonly half: number;
}

/**
 * Estimates the boundary of a search with one dimension.
 *
 * The median margins of the values are fitted by an isotonic regression, weighted by the number of probes, and interpolated
 * linearly; the estimate is the zero of the fit. Medians are used so that one disturbed probe does not move the boundary. This
 * is the two-stage estimate of an inverse regression function by Tang, Banerjee and Michailidis ("A two-stage hybrid procedure
 * for estimating an inverse regression function", Annals of Statistics 39, 2011): the first stage finds the neighborhood, and
 * repeats in this neighborhood are fitted in the second.
 *
 * The interval is between the highest value that is certainly within the limits and the lowest value that certainly exceeds a
 * limit: the fitted margin differs from 0 at the given level. It assumes only that margins increase, and nothing about values between two
 * probed ones. The standard error of the fit at a value is s / √n with the n probes of this value, and √(π/2) times as much
 * for a median of more than two. s is the standard deviation of repeats, pooled over both sides of the boundary, with Student's
 * t for its degrees of freedom.
 */
export function estimateBoundary(probes: readonly Probe[], level: number): Boundary {
  const grouped = groupProbes(probes.filter(({ verdict }) => verdict !== 'unknown'));
  const { evidence, isMonotonic } = judgeEvidence(grouped, level);
  const { passed, failed } = findBracket(evidence);
  const sides = {
    ...(passed && { passed: passed.value }),
    ...(failed && { failed: failed.value }),
    isMonotonic,
  };
  const measured = evidence.filter(({ margins }) => margins.length > 0);
  if (!isMonotonic || measured.length < 2) return sides;
  const noise = passed && failed ? measureNoise([passed, failed], level) : undefined;
  const points = fitMargins(measured, noise);
  const estimate = findZero(points);
  if (estimate === undefined || points[0]!.margin > 0) return sides;
  return { ...sides, estimate, ...(noise && { interval: findInterval(points, level) }) };
}

function fitMargins(evidence: readonly Evidence[], noise: Noise | undefined): FittedPoint[] {
  const fitted = fitMedians(evidence);
  return evidence.map(({ value, margins }, index) => ({
    value,
    margin: fitted[index]!,
    half: noise ? computeHalfWidth(noise, margins.length) : 0,
  }));
}

/** The estimate exists, so that the margin of at least one point is above 0. */
function findInterval(points: readonly FittedPoint[], level: number): Interval {
  const firstExceeding = points.findIndex(({ margin, half }) => margin + half > 0);
  const lastWithin = points.findLastIndex(({ margin, half }) => margin - half <= 0);
  return {
    low: points[Math.max(0, firstExceeding - 1)]!.value,
    high: points[Math.min(points.length - 1, lastWithin + 1)]!.value,
    level,
    isLowOpen: firstExceeding === 0,
    isHighOpen: lastWithin === points.length - 1,
  };
}

/** Finds the lowest value from which the fit is above 0, by linear interpolation; undefined if it never is. */
function findZero(points: readonly FittedPoint[]): number | undefined {
  const index = points.findIndex(({ margin }) => margin > 0);
  if (index === -1) return undefined;
  if (index === 0) return points[0]!.value;
  const [below, above] = [points[index - 1]!, points[index]!];
  return below.value + ((above.value - below.value) * -below.margin) / (above.margin - below.margin);
}
