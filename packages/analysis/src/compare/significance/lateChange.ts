import jstat from 'jstat';
import { max, mean } from '../../math.ts';
import { estimateFromSlices, MIN_SLICES } from '../noise/estimate.ts';
import type { SliceSample } from '../noise/sliceSample.ts';
import { countIndependent, toLogarithms } from './drift.ts';
import { computeRange } from './ranges.ts';

const { studentt } = jstat.jStat;

/** The ends of a run that are compared, as shares of its timeslices. */
const SHARES = [1 / 2, 1 / 4, 1 / 8];

/** The minimum number of timeslices at the end of a run. A shorter end may be a spike. */
const MIN_END = 3;

/**
 * Returns the p-value of a change at the end of one run, such as a server that is overloaded in the last quarter. The
 * mean of the logarithms at the end is compared with the slices of the other run, which must be steady, as if it were
 * one slice: adjacent slices may be so strongly correlated that they carry no more information than one. The p-value is
 * multiplied by the number of ends that are compared.
 *
 * Returns undefined unless one run is steady, and the end of the other run is further outside its range than this range
 * is wide, in the direction of `difference`.
 */
export function testLateChange(
  base: SliceSample,
  other: SliceSample,
  difference: number,
): number | undefined {
  const logs = toLogarithms(base.values, other.values);
  if (!logs) return undefined;
  const values = [
    ...computePValues(logs[0], logs[1], Math.sign(difference)),
    ...computePValues(logs[1], logs[0], -Math.sign(difference)),
  ];
  return values.length === 0 ? undefined : Math.min(1, 2 * SHARES.length * Math.min(...values));
}

/** Compares the ends of a run with a steady run. */
function computePValues(steady: readonly number[], changed: readonly number[], sign: number): number[] {
  if (steady.length < MIN_SLICES || countIndependent(steady) < MIN_SLICES) return [];
  const { mean: center, error, deviation, degrees } = estimateFromSlices(mean(steady), steady)!;
  if (deviation === 0) return [];
  const limit = max(steady.map(value => sign * value));
  return SHARES.flatMap(share => {
    const end = changed.slice(-Math.floor(share * changed.length));
    if (end.length < MIN_END || end.some(value => sign * value <= limit)) return [];
    if (sign * mean(end) - limit <= computeRange(steady)) return [];
    const t = Math.abs(mean(end) - center) / Math.hypot(deviation, error);
    return 2 * studentt.cdf(-t, degrees);
  });
}
