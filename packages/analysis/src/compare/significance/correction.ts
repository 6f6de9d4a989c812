/** Method of correcting p-values for multiple comparisons. */
export type Correction = 'bh' | 'holm' | 'none';

/** A corrected p-value, and the level of the confidence interval that agrees with it. */
export interface CorrectedTest {
  readonly p: number;
  /** The interval excludes 0 if and only if `p` is at most alpha. */
  readonly level: number;
}

/**
 * Corrects the p-values and the confidence intervals of a family of tests. With R of m tests significant, intervals
 * have the level alpha R / m for `bh` (Benjamini and Yekutieli, 2005), and alpha divided by the number of hypotheses
 * that Holm's method had not rejected yet for `holm`.
 */
export function correctTests(
  values: readonly number[],
  correction: Correction,
  alpha: number,
): CorrectedTest[] {
  const corrected = correctPValues(values, correction);
  const count = values.length;
  const rejected = corrected.filter(p => p <= alpha).length;
  const ranks = new Map(sortIndices(values).map((at, rank) => [at, rank]));
  const computeLevel = (at: number): number => {
    if (correction === 'none') return alpha;
    if (correction === 'bh') return (alpha * Math.max(1, rejected)) / count;
    return alpha / (count - Math.min(ranks.get(at)!, rejected, count - 1));
  };
  return corrected.map((p, at) => ({ p, level: computeLevel(at) }));
}

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
