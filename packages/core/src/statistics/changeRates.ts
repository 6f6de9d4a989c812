import type { ScalarSamples } from '../store/samples.ts';
import { computeCompensatedSum, computeStandardDeviation, findExtremes } from './descriptive.ts';

/** Rates of a counter between its changes, per second, for the legacy export layout. */
export interface ChangeRates {
  /** Weighted by duration. */
  readonly rate_avg: number;
  readonly rate_min: number;
  readonly rate_max: number;
  /** Unweighted sample standard deviation (ddof 1); 0 for a single rate. */
  readonly rate_std: number;
}

/**
 * Computes the rates of a counter between changes, starting at the first sample; null if the counter never grew. Samples without a change are skipped, since a server that updates once per second but is scraped three times
 * per second would otherwise appear to pause. The interval before a reset is ignored.
 */
export function computeChangeRates({ timesNs, values }: ScalarSamples): ChangeRates | null {
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
  const { min, max } = findExtremes(rates);
  const average =
    computeCompensatedSum(Float64Array.from(deltas)) / computeCompensatedSum(Float64Array.from(seconds));
  return {
    rate_avg: Math.min(max, Math.max(min, average)),
    rate_min: min,
    rate_max: max,
    rate_std: computeStandardDeviation(rates),
  };
}
