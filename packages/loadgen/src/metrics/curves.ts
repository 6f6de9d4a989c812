/**
 * Step functions of time that describe the load: the number of requests in flight, between the first token and the
 * end, and before the first token; rates in tokens per second; and the tokens of the requests in flight.
 */
export const CURVES = [
  'concurrency',
  'decodeConcurrency',
  'prefillConcurrency',
  'decodeRate',
  'prefillRate',
  'totalRate',
  'tokens',
] as const;

export type CurveName = (typeof CURVES)[number];

/** The times at which curves change, and their values. */
export interface Steps {
  /** Times in ns, in ascending order. The same time may occur several times. */
  readonly times: Float64Array;
  /** Sets `values` to the value of a curve before the first time, and then after each time. */
  accumulate(curve: CurveName, values: Float64Array): void;
}

/** Values below this fraction of the maximum of their curve are rounding errors of sums. */
const ROUNDING = 1e-9;

/**
 * Sets `values` to the sums of the changes of a curve. The first value is 0. The sum is compensated (Neumaier): without
 * that, rates of a million requests drift.
 */
export function accumulateChanges(values: Float64Array, readChange: (step: number) => number): void {
  let value = 0;
  let sum = 0;
  let compensation = 0;
  let max = 0;
  values[0] = value;
  for (let step = 0; step < values.length - 1; step++) {
    const change = readChange(step);
    if (change !== 0) {
      const next = sum + change;
      compensation += Math.abs(sum) >= Math.abs(change) ? sum - next + change : change - next + sum;
      sum = next;
      value = sum + compensation;
      if (value > max) max = value;
      if (Math.abs(value) < ROUNDING * max) value = 0;
    }
    values[step + 1] = value;
  }
}
