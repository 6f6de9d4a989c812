import type { Probe } from '../search.ts';

/** All probes of one value of a parameter. */
export interface Evidence {
  readonly value: number;
  readonly hasPassed: boolean;
  /** Number of probes that did not end early. */
  readonly measured: number;
  /** The known margins of these probes. */
  readonly margins: readonly number[];
}

/** Groups the probes of a search with one dimension by value, in ascending order. */
export function groupProbes(probes: readonly Probe[]): Evidence[] {
  const values = [...new Set(probes.map(({ values: [value] }) => value!))].sort((a, b) => a - b);
  return values.map(value =>
    combine(
      value,
      probes.filter(probe => probe.values[0] === value),
    ),
  );
}

/**
 * Combines the probes of one value. If their verdicts differ, the median margin decides if all margins are known, and otherwise
 * the majority. Equal verdicts are kept regardless of margins, because a margin of 0 fails a strict limit but meets others.
 * Probes that ended early count only if there are no others.
 */
function combine(value: number, probes: readonly Probe[]): Evidence {
  const measured = probes.filter(({ endedEarly }) => endedEarly !== true);
  const counted = measured.length > 0 ? measured : probes;
  const margins = measured.flatMap(({ margin }) => (margin === undefined ? [] : [margin]));
  const passes = counted.filter(({ verdict }) => verdict === 'passed').length;
  const isMixed = passes > 0 && passes < counted.length;
  const hasPassed =
    isMixed && margins.length === counted.length ? computeMedian(margins) <= 0 : passes > counted.length / 2;
  return { value, hasPassed, measured: measured.length, margins };
}

/** Returns the median; NaN for no values. */
export function computeMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** The values on both sides of a boundary. */
export interface Bracket {
  /** The highest value that passed below all failures. */
  readonly passed?: Evidence;
  /** The lowest value that failed. */
  readonly failed?: Evidence;
}

/** Finds the values on both sides of the boundary. */
export function findBracket(evidence: readonly Evidence[]): Bracket {
  const failed = evidence.find(({ hasPassed }) => !hasPassed);
  const passed = evidence.findLast(
    ({ value, hasPassed }) => hasPassed && (failed === undefined || value < failed.value),
  );
  return { ...(passed && { passed }), ...(failed && { failed }) };
}
