import { type ComparisonRow, compareRuns, type Run } from '@org/analysis';

/** Verdicts that report a difference. */
const FLAGS: ReadonlySet<string> = new Set(['worse', 'better', 'changed']);

/** Counts the pairs of equal runs for which a comparison reports any difference. */
export function countFlaggedPairs(runs: readonly Run[]): { pairs: number; flagged: number } {
  let pairs = 0;
  let flagged = 0;
  for (const [i, base] of runs.entries()) {
    for (const other of runs.slice(i + 1)) {
      pairs++;
      if (compareRuns([base], [other]).rows.some(({ verdict }) => FLAGS.has(verdict))) flagged++;
    }
  }
  return { pairs, flagged };
}

/** Counts the pairs of a base run and a changed run in which a metric got worse. */
export function countDetected(
  bases: readonly Run[],
  others: readonly Run[],
  metric: string,
): { pairs: number; detected: number } {
  const isDetected = ({ name, stat, verdict }: ComparisonRow): boolean =>
    name === metric && stat === 'avg' && verdict === 'worse';
  const detected = others.filter((other, i) => {
    const base = bases[i % bases.length]!;
    return compareRuns([base], [other]).rows.some(isDetected);
  });
  return { pairs: others.length, detected: detected.length };
}
