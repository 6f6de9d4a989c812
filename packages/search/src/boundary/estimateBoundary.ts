import jstat from 'jstat';
import { fitIsotonic } from '../isotonic.ts';
import type { Probe } from '../search.ts';
import { type Evidence, findBracket, findConflict, groupProbes, mean } from './evidence.ts';

/** A boundary and the evidence for it. */
export interface Boundary {
  /** The highest value that passed below all failures; absent if no value passed. */
  readonly passed?: number;
  /** The lowest value that failed; absent if none failed. */
  readonly failed?: number;
  /** False if a value failed and a higher one passed. There is then no estimate. */
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
 * The mean margins are fitted by an isotonic regression, weighted by the number of probes, and interpolated linearly; the
 * estimate is the zero of the fit. This is the two-stage estimate of an inverse regression function by Tang, Banerjee and
 * Michailidis ("A two-stage hybrid procedure for estimating an inverse regression function", Annals of Statistics 39, 2011):
 * the first stage finds the neighborhood, and repeats in this neighborhood are fitted in the second.
 *
 * The interval contains all values whose fitted margin does not differ from 0 at the given level (inverse regression, as in
 * Draper and Smith, "Applied Regression Analysis", 3.2). The standard error of the fit at a value is s / √n with the n probes
 * of this value, interpolated between values. s is the standard deviation of repeats, pooled over both sides of the boundary,
 * with Student's t for its degrees of freedom.
 */
export function estimateBoundary(probes: readonly Probe[], level: number): Boundary {
  const evidence = groupProbes(probes.filter(({ verdict }) => verdict !== 'unknown'));
  const { passed, failed } = findBracket(evidence);
  const isMonotonic = findConflict(evidence) === undefined;
  const sides = {
    ...(passed && { passed: passed.value }),
    ...(failed && { failed: failed.value }),
    isMonotonic,
  };
  const measured = evidence.filter(({ margins }) => margins.length > 0);
  if (!isMonotonic || measured.length < 2) return sides;
  const noise = passed && failed ? poolDeviations([passed, failed]) : undefined;
  const points = fitMargins(measured, noise && noise.deviation * getQuantile(level, noise.degrees));
  const estimate = findFirst(points, ({ margin }) => margin);
  if (estimate === undefined || points[0]!.margin > 0) return sides;
  return { ...sides, estimate, ...(noise && { interval: findInterval(points, level) }) };
}

/** Pools the standard deviations of repeats; undefined without repeats. */
function poolDeviations(
  evidence: readonly Evidence[],
): { readonly deviation: number; readonly degrees: number } | undefined {
  const degrees = evidence.reduce((sum, { margins }) => sum + Math.max(0, margins.length - 1), 0);
  if (degrees === 0) return undefined;
  const squares = evidence.flatMap(({ margins }) => margins.map(margin => (margin - mean(margins)) ** 2));
  return { deviation: Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / degrees), degrees };
}

/** Returns the two-sided quantile of Student's t. */
function getQuantile(level: number, degrees: number): number {
  return jstat.jStat.studentt.inv((1 + level) / 2, degrees);
}

function fitMargins(evidence: readonly Evidence[], spread: number | undefined): FittedPoint[] {
  const fitted = fitIsotonic(
    evidence.map(({ margins }) => ({ value: mean(margins), weight: margins.length })),
  );
  return evidence.map(({ value, margins }, index) => ({
    value,
    margin: fitted[index]!,
    half: (spread ?? 0) / Math.sqrt(margins.length),
  }));
}

function findInterval(points: readonly FittedPoint[], level: number): Interval {
  const low = findFirst(points, ({ margin, half }) => margin + half);
  const high = findLast(points, ({ margin, half }) => margin - half);
  return {
    low: low ?? points[0]!.value,
    high: high ?? points.at(-1)!.value,
    level,
    isLowOpen: points[0]!.margin + points[0]!.half > 0,
    isHighOpen: points.at(-1)!.margin - points.at(-1)!.half <= 0,
  };
}

/** Finds the lowest value from which a curve is above 0, by linear interpolation; undefined if it never is. */
function findFirst(points: readonly FittedPoint[], read: (point: FittedPoint) => number): number | undefined {
  const index = points.findIndex(point => read(point) > 0);
  if (index === -1) return undefined;
  return index === 0 ? points[0]!.value : interpolateZero(points[index - 1]!, points[index]!, read);
}

/** Finds the highest value up to which a curve is not above 0; undefined if it is above 0 everywhere. */
function findLast(points: readonly FittedPoint[], read: (point: FittedPoint) => number): number | undefined {
  const index = points.findLastIndex(point => read(point) <= 0);
  if (index === -1) return points[0]!.value;
  return index === points.length - 1 ? undefined : interpolateZero(points[index]!, points[index + 1]!, read);
}

function interpolateZero(
  below: FittedPoint,
  above: FittedPoint,
  read: (point: FittedPoint) => number,
): number {
  const [from, to] = [read(below), read(above)];
  return below.value + ((above.value - below.value) * -from) / (to - from);
}
