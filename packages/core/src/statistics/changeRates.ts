import type { ScalarSamples } from '../store/samples.ts';
import { computeCompensatedSum, computeStandardDeviation, findExtremes } from './descriptive.ts';

/** Rates per second of a counter between its changes, for the legacy export layout. */
export interface ChangeRates {
  /** The mean of the rates, weighted by duration. */
  readonly rate_avg: number;
  readonly rate_min: number;
  readonly rate_max: number;
  /** Unweighted sample standard deviation (ddof 1); 0 for a single rate. */
  readonly rate_std: number;
}

/**
 * Computes the rates of a counter between changes, starting at the first sample; returns null if the counter
 * never increased. Samples without a change are skipped, because a server that updates once per second but is
 * scraped three times per second would otherwise appear to pause. The interval before a reset is ignored.
 */
export function computeChangeRates({ timesNs, values }: ScalarSamples): ChangeRates | null {
  const deltas: number[] = [];
  const durations: number[] = [];
  let last = 0;
  for (let at = 1; at < values.length; at++) {
    const delta = values[at]! - values[last]!;
    if (delta === 0) continue;
    const seconds = (timesNs[at]! - timesNs[last]!) / 1e9;
    if (delta > 0 && seconds > 0) {
      deltas.push(delta);
      durations.push(seconds);
    }
    last = at;
  }
  if (deltas.length === 0) return null;
  const rates = Float64Array.from(deltas, (delta, at) => delta / durations[at]!);
  const { min, max } = findExtremes(rates);
  const average =
    computeCompensatedSum(Float64Array.from(deltas)) / computeCompensatedSum(Float64Array.from(durations));
  return {
    rate_avg: Math.min(max, Math.max(min, average)),
    rate_min: min,
    rate_max: max,
    rate_std: computeStandardDeviation(rates),
  };
}
