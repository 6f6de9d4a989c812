import { counterResets, increaseAcross } from '../period/resets.ts';
import { mapSlices, rowsAtEdges, type Slice, type Slices } from '../period/timeslices.ts';
import type { ScalarSamples } from '../store/samples.ts';
import { extremes, mean, standardDeviation } from './descriptive.ts';

/** What a counter counted in a period. Seed 001, "Counter Stats Fields" and "Counter Normalization". */
export interface CounterStatistics {
  /** Last value minus reference, at least 0. */
  readonly total: number;
  /** `total` per second between these two samples; 0 when there is no time between them. */
  readonly rate: number;
  /** Over the rates of the complete timeslices, each weighing the same; absent without one (DESIGN decision 2). */
  readonly rate_avg?: number;
  readonly rate_min?: number;
  readonly rate_max?: number;
  readonly rate_std?: number;
  /** How often the counter began again; only there when it did (DESIGN decision 10). */
  readonly resets?: number;
  /** What it counted, resets accounted for; beside `resets`. */
  readonly increase?: number;
}

/** What a counter counted in one timeslice. */
export interface CounterSlice extends Slice {
  readonly total: number;
  readonly rate: number;
}

/**
 * The statistics of a counter.
 *
 * @param samples row 0 is the reference, at least one row
 * @param slices what the counter did by timeslice, if that was asked for
 */
export function counterStatistics(
  { timesNs, values }: ScalarSamples,
  slices: readonly CounterSlice[] = [],
): CounterStatistics {
  const total = Math.max(values.at(-1)! - values[0]!, 0);
  const seconds = (timesNs.at(-1)! - timesNs[0]!) / 1e9;
  return {
    total,
    rate: seconds > 0 ? total / seconds : 0,
    ...rateStatistics(slices),
    ...resetStatistics(values),
  };
}

/**
 * Every slice, with the difference between the last samples at its edges; before its first sample the counter is
 * taken to be what that sample says.
 */
export function counterSlices({ timesNs, values }: ScalarSamples, slices: Slices): CounterSlice[] {
  const rows = rowsAtEdges(slices, timesNs);
  return mapSlices<CounterSlice>(slices, (startNs, endNs, index) => {
    const total = Math.max(values[rows[index + 1]!]! - values[rows[index]!]!, 0);
    return { startNs, endNs, total, rate: total / ((endNs - startNs) / 1e9) };
  });
}

function rateStatistics(slices: readonly CounterSlice[]): Partial<CounterStatistics> {
  // Only the last one can be partial.
  const complete = slices.at(-1)?.is_complete === false ? slices.length - 1 : slices.length;
  if (complete === 0) return {};
  const rates = new Float64Array(complete);
  for (let at = 0; at < complete; at++) rates[at] = slices[at]!.rate;
  const { min, max } = extremes(rates);
  return { rate_avg: mean(rates), rate_min: min, rate_max: max, rate_std: standardDeviation(rates) };
}

function resetStatistics(values: Float64Array): Partial<CounterStatistics> {
  const resets = counterResets(values);
  if (resets.length === 0) return {};
  return { resets: resets.length, increase: Math.max(increaseAcross(values, resets), 0) };
}
