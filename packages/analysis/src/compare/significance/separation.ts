import { MIN_SLICES } from '../noise/estimate.ts';
import type { SliceSample } from '../noise/sliceSample.ts';
import { countIndependent, toLogarithms } from './drift.ts';
import { computeGap, computeRange } from './ranges.ts';

/**
 * Returns the p-value of two runs whose slices are completely separated: the share of arrangements of independent
 * values that are separated. Slices are counted as their effective sample size. Spikes, which increase the variance,
 * do not affect this test.
 *
 * Returns undefined unless each run has at least 8 independent slices, and the gap between the runs exceeds the
 * range of one of them. This range stands in for the offset between repeated runs, which is unknown for single runs.
 */
export function testSeparation(base: SliceSample, other: SliceSample): number | undefined {
  const logs = toLogarithms(base.values, other.values);
  if (!logs) return undefined;
  const gap = computeGap(...logs);
  if (!(gap > 0) || gap <= Math.min(...logs.map(computeRange))) return undefined;
  const [n, m] = logs.map(values => Math.floor(Math.min(values.length, countIndependent(values))));
  if (n! < MIN_SLICES || m! < MIN_SLICES) return undefined;
  return 2 / countArrangements(n!, m!);
}

function countArrangements(n: number, m: number): number {
  let arrangements = 1;
  for (let i = 1; i <= n; i++) arrangements = (arrangements * (m + i)) / i;
  return arrangements;
}
