import { mean, sum } from '../math.ts';
import { listSegmentMeans } from './segmentMeans.ts';

/** A straight line through values with equal distances. */
export interface DriftLine {
  /** The first and the last value of the line. */
  readonly from: number;
  readonly to: number;
}

/**
 * Fits a straight line, and returns it if it explains the values better than levels between change points: if its Bayesian
 * information criterion (Schwarz, 1978) is lower. The parameters of levels are their means and positions.
 *
 * @param splits the change points; at least one
 */
export function fitDrift(
  values: readonly number[],
  splits: readonly { readonly at: number }[],
): DriftLine | undefined {
  const { from, to } = fitLine(values);
  const step = (to - from) / (values.length - 1);
  const lineError = sum(values.map((value, i) => (value - from - step * i) ** 2));
  const means = listSegmentMeans(
    values,
    splits.map(({ at }) => at),
  );
  const levelError = sum(values.map((value, i) => (value - means[i]!) ** 2));
  const line = computeCriterion(lineError, values.length, 2);
  const levels = computeCriterion(levelError, values.length, 2 * splits.length + 1);
  return line < levels ? { from, to } : undefined;
}

function computeCriterion(squaredError: number, count: number, parameters: number): number {
  return count * Math.log(squaredError / count) + parameters * Math.log(count);
}

/** Fits a line by least squares. */
function fitLine(values: readonly number[]): DriftLine {
  const center = (values.length - 1) / 2;
  const average = mean(values);
  const slope =
    sum(values.map((value, i) => (i - center) * (value - average))) /
    sum(values.map((_, i) => (i - center) ** 2));
  return { from: average - slope * center, to: average + slope * center };
}
