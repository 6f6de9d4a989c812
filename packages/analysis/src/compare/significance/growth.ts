import { mean } from '../../math.ts';
import { estimateFromSlices, MIN_SLICES } from '../noise/estimate.ts';
import type { SliceSample } from '../noise/sliceSample.ts';
import { countIndependent, toLogarithms } from './drift.ts';
import { runTransformedTest, type TestResult } from './significance.ts';

/** The minimum number of timeslices of each run. */
const MIN_GROWTH_SLICES = 12;

/** The minimum share of pairs of slices from both halves of a run with the same order, minus that of other pairs. */
const MIN_DOMINANCE = 0.8;

/**
 * Tests the difference between two runs that both drift, such as two overloaded servers whose queues grow at different
 * rates. The random part of a queue accumulates: the queue depends on all requests before. Therefore the test compares
 * the mean change from slice to slice, whose random parts are independent.
 *
 * Returns undefined if one of the runs is steady, or if neither has a second half that is above or below its first half.
 */
export function testGrowth(
  base: SliceSample,
  other: SliceSample,
  difference: number,
): TestResult | undefined {
  const samples = [base.values, other.values] as const;
  if (samples.some(({ length }) => length < MIN_GROWTH_SLICES)) return undefined;
  const logs = toLogarithms(...samples);
  if (!logs || logs.some(values => countIndependent(values) >= MIN_SLICES)) return undefined;
  const [from, to] = samples.map(computeTrend);
  if (Math.max(Math.abs(from!), Math.abs(to!)) < MIN_DOMINANCE) return undefined;
  const [slower, faster] = samples
    .map(computeChanges)
    .map(changes => estimateFromSlices(mean(changes), changes)!);
  return runTransformedTest(slower!, faster!, difference);
}

/** Returns the dominance of the second half of a run over its first half: 1 if it only grows. */
function computeTrend(values: readonly number[]): number {
  const half = Math.floor(values.length / 2);
  const [first, second] = [values.slice(0, half), values.slice(-half)];
  return mean(first.map(a => mean(second.map(b => Math.sign(b - a)))));
}

function computeChanges(values: readonly number[]): number[] {
  return values.slice(1).map((value, i) => value - values[i]!);
}
