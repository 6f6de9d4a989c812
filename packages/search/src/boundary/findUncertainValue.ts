import type { Probe } from '../search.ts';
import type { BoundarySettings } from './boundarySettings.ts';
import { estimateBoundary } from './estimateBoundary.ts';
import { type Evidence, groupProbes } from './evidence.ts';

/** A range of values. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * Finds the value whose probes can narrow the interval of the boundary. An end of the interval that is farther from the estimate
 * than the precision is narrowed at about this distance: of all values within the precision, the margin differs most from 0
 * there. Undefined if the interval is narrow enough, or if these values have been measured as often as the settings demand.
 */
export function findUncertainValue(
  probes: readonly Probe[],
  { dimension, precision, replicates, level }: BoundarySettings,
): number | undefined {
  const { estimate, interval } = estimateBoundary(probes, level);
  if (estimate === undefined || !interval) return undefined;
  const { low, high, isInteger } = dimension;
  const distance = Math.max(precision * Math.abs(estimate), isInteger ? 1 : 0);
  const round = (value: number, toInteger: (value: number) => number): number =>
    isInteger ? toInteger(value) : value;
  const below = round(estimate - distance, Math.ceil);
  const above = round(estimate + distance, Math.floor);
  const evidence = groupProbes(probes);
  const candidates = [
    ...(interval.low < below ? [findNear(evidence, below, { low: below, high: below + distance / 2 })] : []),
    ...(interval.high > above ? [findNear(evidence, above, { low: above - distance / 2, high: above })] : []),
  ];
  const [least] = candidates
    .filter(({ value, measured }) => value >= low && value <= high && measured < replicates)
    .sort((a, b) => a.measured - b.measured);
  return least?.value;
}

/** Returns the tested value in a range that was measured most, or else `value`. */
function findNear(
  evidence: readonly Evidence[],
  value: number,
  { low, high }: Range,
): Pick<Evidence, 'value' | 'measured'> {
  const [most] = evidence
    .filter(tested => tested.value >= low && tested.value <= high)
    .sort((a, b) => b.measured - a.measured);
  return most ?? { value, measured: 0 };
}
