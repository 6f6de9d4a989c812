import type { ScalarSamples } from '../store/samples.ts';
import { compensatedSum, extremes, standardDeviation } from './descriptive.ts';

/** How fast a counter grew from one change to the next, per second. Seed 003, "Counter with Activity". */
export interface ChangeRates {
  /** Each rate weighs as long as it lasted. */
  readonly rate_avg: number;
  readonly rate_min: number;
  readonly rate_max: number;
  /** Sample standard deviation (ddof 1) of the rates, each weighing the same; 0 for one. */
  readonly rate_std: number;
}

/**
 * The rates of a counter between the samples at which it had changed, the first sample included; null when it never
 * grew. Samples at which nothing changed are passed over: a server that updates once a second and is asked three times
 * would otherwise seem to pause. A fall is a reset; what it took is not counted, and the time until it neither.
 */
export function changeRates({ timesNs, values }: ScalarSamples): ChangeRates | null {
  const deltas: number[] = [];
  const seconds: number[] = [];
  let last = 0;
  for (let at = 1; at < values.length; at++) {
    const delta = values[at]! - values[last]!;
    if (delta === 0) continue;
    const time = (timesNs[at]! - timesNs[last]!) / 1e9;
    if (delta > 0 && time > 0) {
      deltas.push(delta);
      seconds.push(time);
    }
    last = at;
  }
  if (deltas.length === 0) return null;
  const rates = Float64Array.from(deltas, (delta, at) => delta / seconds[at]!);
  const { min, max } = extremes(rates);
  const average = compensatedSum(Float64Array.from(deltas)) / compensatedSum(Float64Array.from(seconds));
  return {
    rate_avg: Math.min(max, Math.max(min, average)),
    rate_min: min,
    rate_max: max,
    rate_std: standardDeviation(rates),
  };
}
