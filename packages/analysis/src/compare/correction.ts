/** Method of correcting p-values for multiple comparisons. */
export type Correction = 'bh' | 'holm' | 'none';

/**
 * Corrects p-values of multiple comparisons: `bh` controls the false discovery rate (Benjamini and Hochberg,
 * 1995), `holm` the family-wise error rate (Holm, 1979).
 */
export function correctPValues(values: readonly number[], correction: Correction): number[] {
  if (correction === 'none') return [...values];
  return correction === 'holm' ? applyHolm(values) : applyBenjaminiHochberg(values);
}

function applyHolm(values: readonly number[]): number[] {
  const corrected = new Array<number>(values.length);
  let highest = 0;
  sortIndices(values).forEach((at, rank) => {
    highest = Math.max(highest, Math.min(1, values[at]! * (values.length - rank)));
    corrected[at] = highest;
  });
  return corrected;
}

function applyBenjaminiHochberg(values: readonly number[]): number[] {
  const corrected = new Array<number>(values.length);
  const order = sortIndices(values);
  let lowest = 1;
  for (let rank = values.length - 1; rank >= 0; rank--) {
    const at = order[rank]!;
    lowest = Math.min(lowest, (values[at]! * values.length) / (rank + 1));
    corrected[at] = lowest;
  }
  return corrected;
}

/** Returns the indices of the values in ascending order of the values. */
function sortIndices(values: readonly number[]): number[] {
  return [...values.keys()].sort((a, b) => values[a]! - values[b]!);
}
