/** The largest relative difference between two counts of the same requests: requests at the edges of the period. */
const TOLERANCE = 0.02;
/** The same as a number of requests, for short runs. */
const SLACK = 2;

/** Reports whether two counts are counts of the same requests, except for requests at the edges of the period. */
export function isSameCount(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(SLACK, TOLERANCE * Math.max(a, b));
}
