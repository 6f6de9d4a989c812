import { max, mean, min, sum } from '../../math.ts';
import { countIndependentValues, type Estimate, estimateFromSlices, MIN_SLICES } from '../noise/estimate.ts';
import type { SliceSample } from '../noise/sliceSample.ts';
import { computeGap, computeRange } from './ranges.ts';
import { createResult, runTransformedTest, type TestResult } from './significance.ts';
import { computeCliffsDelta } from './wins.ts';

/**
 * The minimum degrees of freedom of a drifting run. What remains of a smooth drift after a straight line is removed
 * is autocorrelated, although it is not noise.
 */
const MIN_DEGREES = 3;

/** The maximum share of slices on the other side of the steady run before the drift starts. */
const MAX_OPPOSITE = 0.1;

/**
 * The minimum effective sample size of a steady run whose distance from the other run exceeds the ranges of both. In
 * short runs, the autocorrelation is often overestimated.
 */
const MIN_INDEPENDENT_FAR = 4;

/** The minimum number of slices of runs that are not that far apart. */
const MIN_CLOSE_SLICES = 12;

/** The minimum share of pairs of slices in which the same run is higher, minus the share of all other pairs. */
const MIN_DOMINANCE = 0.8;

/**
 * Tests the difference between a steady run and a run that drifts, such as an overloaded server whose queue grows.
 * The slices of the drifting run are so strongly autocorrelated that their mean is uncertain. However, the drift is
 * a property of the run, and not noise. Therefore the test compares the means of the logarithms, and estimates the
 * noise of the drifting run from the deviations of its logarithms from a straight line.
 *
 * If the drift starts during the run, only the slices that follow outside the range of the steady run are compared.
 *
 * Returns undefined unless one run is steady, and the other one drifts and is outside its range for long enough. Two
 * runs of the same server that both drift are not tested this way.
 */
export function testDrift(base: SliceSample, other: SliceSample, difference: number): TestResult | undefined {
  const logs = toLogarithms(base.values, other.values);
  if (!logs || logs.some(({ length }) => length < MIN_SLICES)) return undefined;
  const isFar = computeGap(...logs) > Math.max(...logs.map(computeRange));
  if (!isFar && logs.some(({ length }) => length < MIN_CLOSE_SLICES)) return undefined;
  const minIndependent = isFar ? MIN_INDEPENDENT_FAR : MIN_SLICES;
  const isSteady = logs.map(values => countIndependent(values) >= minIndependent);
  if (isSteady[0] === isSteady[1]) return undefined;
  const [steady, drifting] = isSteady[0] ? logs : [logs[1], logs[0]];
  const part = selectPart(steady, drifting, isSteady[0] ? difference : -difference);
  if (!part) return undefined;
  const [reference, estimate] = [estimateFromSlices(mean(steady), steady)!, estimateAroundLine(part)];
  const result = isSteady[0]
    ? runTransformedTest(reference, estimate, difference)
    : runTransformedTest(estimate, reference, difference);
  // The part was selected from several possible ones.
  const candidates = drifting.length - part.length + 1;
  return candidates === 1 || result.p === null
    ? result
    : createResult(Math.min(1, candidates * result.p), difference, result);
}

/**
 * Selects the slices of the drifting run to compare: all of them if they are almost always on the same side of the
 * steady run, otherwise the longest series of slices outside its range. Undefined if it is too short, or if its mean is
 * too close to the steady run.
 */
function selectPart(
  steady: readonly number[],
  drifting: readonly number[],
  difference: number,
): readonly number[] | undefined {
  const [low, high] = [min(steady), max(steady)];
  const measureDistance = (values: readonly number[]): number =>
    difference > 0 ? mean(values) - high : low - mean(values);
  if (Math.abs(computeCliffsDelta(steady, drifting)) >= MIN_DOMINANCE)
    return measureDistance(drifting) > 0 ? drifting : undefined;
  const opposite = drifting.filter(value => (difference > 0 ? value < low : value > high));
  if (opposite.length > MAX_OPPOSITE * drifting.length) return undefined;
  let longest: readonly number[] = [];
  let start = 0;
  for (const [i, value] of [...drifting, Number.NaN].entries()) {
    if (difference > 0 ? value > high : value < low) continue;
    if (i - start > longest.length) longest = drifting.slice(start, i);
    start = i + 1;
  }
  const isLong = longest.length >= MIN_SLICES;
  return isLong && measureDistance(longest) > computeRange(steady) ? longest : undefined;
}

/**
 * Returns the natural logarithms of the values of both runs. If there are zeros, half the smallest positive value is
 * added to all values. Returns undefined for negative values, and if all values are 0.
 */
export function toLogarithms(
  base: readonly number[],
  other: readonly number[],
): [number[], number[]] | undefined {
  const all = [...base, ...other];
  const positive = all.filter(value => value > 0);
  if (positive.length === 0 || all.some(value => !(value >= 0))) return undefined;
  const smallest = positive.reduce((low, value) => Math.min(low, value));
  const offset = positive.length < all.length ? smallest / 2 : 0;
  const transform = (values: readonly number[]): number[] => values.map(value => Math.log(value + offset));
  return [transform(base), transform(other)];
}

/** Returns the effective sample size of values around their mean. Equal values are independent. */
export function countIndependent(values: readonly number[]): number {
  const center = mean(values);
  const deviations = values.map(value => value - center);
  return isZero(deviations) ? values.length : countIndependentValues(deviations);
}

function isZero(deviations: readonly number[]): boolean {
  return deviations.every(value => Math.abs(value) < 1e-12);
}

/** Estimates a mean, with noise from the deviations from a straight line. */
function estimateAroundLine(values: readonly number[]): Estimate {
  const n = values.length;
  const center = mean(values);
  const times = values.map((_, i) => i - (n - 1) / 2);
  const slope = sum(times.map((time, i) => time * values[i]!)) / sum(times.map(time => time ** 2));
  const deviations = values.map((value, i) => value - center - slope * times[i]!);
  const independent = isZero(deviations)
    ? n
    : Math.max(2 + MIN_DEGREES, Math.min(n, countIndependentValues(deviations, 1)));
  const variance = sum(deviations.map(value => value ** 2)) / n / (1 - 2 / independent);
  const deviation = Math.sqrt(variance);
  const error = deviation / Math.sqrt(independent);
  return {
    mean: center,
    error,
    degrees: independent - 2,
    deviation,
    values: n,
    independent,
    basis: 'slices',
  };
}
