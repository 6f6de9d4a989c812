import type { Probe } from '../search.ts';
import type { BoundarySettings } from './boundarySettings.ts';
import { estimateBoundary } from './estimateBoundary.ts';
import { type Evidence, groupProbes } from './evidence.ts';

/**
 * Returns the value to probe next to narrow the interval. If an end of the interval is farther from the estimate than the
 * precision, this is a value at about that distance: within the precision, margins there differ most from 0. Undefined if the
 * interval is narrow enough, or if these values have enough probes.
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
    ...(interval.low < below ? [findNear(evidence, below, distance / 2)] : []),
    ...(interval.high > above ? [findNear(evidence, above, distance / 2)] : []),
  ];
  const [least] = candidates
    .filter(({ value, measured }) => value >= low && value <= high && measured < replicates)
    .sort((a, b) => a.measured - b.measured);
  return least?.value;
}

/**
 * Returns the tested value at most `distance` from a value that was measured most, or else the value itself. The estimate moves
 * with each probe, so a value that was chosen before must be found again.
 */
function findNear(
  evidence: readonly Evidence[],
  value: number,
  distance: number,
): Pick<Evidence, 'value' | 'measured'> {
  const [most] = evidence
    .filter(tested => Math.abs(tested.value - value) <= distance)
    .sort((a, b) => b.measured - a.measured);
  return most ?? { value, measured: 0 };
}
