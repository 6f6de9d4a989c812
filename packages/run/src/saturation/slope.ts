/** Number of equal parts of a window, between whose ends increments are measured. */
export const BLOCKS = 10;
/** The 99.99th percentile of Student's t distribution with 9 degrees of freedom. */
const T_QUANTILE = 6.01;

/** The growth of a value per second. It is within the bounds with a confidence of 99.98%. */
export interface Slope {
  readonly perSecond: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Estimates the slope of a value from its increments between the ends of equal blocks. The length of a queue is the sum of
 * its changes, so that its increments are nearly independent, in contrast to its values: a regression of the values would find
 * trends in every queue.
 *
 * @param points the value at the ends of the blocks
 * @param blockSeconds the length of a block
 * @param minVariance the minimum of the variance of an increment
 */
export function estimateSlope(points: readonly number[], blockSeconds: number, minVariance = 0): Slope {
  const increments = points.slice(1).map((value, index) => value - points[index]!);
  const count = increments.length;
  const mean = increments.reduce((sum, value) => sum + value, 0) / count;
  const squares = increments.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const variance = Math.max(minVariance, squares / (count - 1));
  const margin = T_QUANTILE * Math.sqrt(variance / count);
  const [perSecond, low, high] = [mean, mean - margin, mean + margin].map(value => value / blockSeconds);
  return { perSecond: perSecond!, low: low!, high: high! };
}
