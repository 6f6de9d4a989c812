/**
 * Step functions of time that describe the load: the number of requests in flight, between the first token and the
 * end, and before the first token; rates in tokens per second; and the tokens of the requests in flight.
 */
export const CURVE = {
  concurrency: 0,
  decodeConcurrency: 1,
  prefillConcurrency: 2,
  decodeRate: 3,
  prefillRate: 4,
  totalRate: 5,
  tokens: 6,
} as const;

export type CurveName = keyof typeof CURVE;

/** Number of curves. */
export const CURVE_COUNT: number = Object.keys(CURVE).length;

/** Receives the changes of all curves at a time, in ns. The array is reused. */
export type StepVisitor = (timeNs: number, changes: Float64Array) => void;

/** Calls a visitor for each time at which curves change, in order. */
export type Steps = (visit: StepVisitor) => void;
