import type { Comparison, ComparisonRow } from '@org/analysis';
import { describeDifferences, describeHint, listReasons, selectRows } from '../compare/comparisonText.ts';
import {
  formatSweepHeadline,
  listSweepDifferences,
  listSweepNotes,
  type SweepComparison,
} from '../compare/sweeps.ts';
import type { ComparisonTable } from './document.ts';

/** The maximum number of comparison rows on the page. `servelens read compare --all` prints all rows. */
const MAX_ROWS = 2000;

/** The maximum number of rows of a variation, which are the key metrics and the metrics that changed. */
const MAX_VARIATION_ROWS = 20;

/** Builds the table of a comparison with a baseline. Several runs on one side are repeats. */
export function buildRunComparison(comparison: Comparison): ComparisonTable {
  const { base, rows, notes, hint } = comparison;
  return {
    base: base[0]!.name,
    counts: countVerdicts(rows),
    notes: [
      ...describeDifferences(comparison),
      ...(hint ? [`${describeHint(hint)} (servelens read compare)`] : []),
      ...listReasons(comparison),
      ...notes,
    ],
    rows: rows.slice(0, MAX_ROWS).map(row => toTableRow(row)),
    more: Math.max(0, rows.length - MAX_ROWS),
  };
}

/** Builds the table of a comparison of two sweeps, with the important and changed metrics of each variation. */
export function buildSweepComparison(comparison: SweepComparison): ComparisonTable {
  const select = (each: Comparison | undefined): readonly ComparisonRow[] =>
    each ? selectRows(each, false, MAX_VARIATION_ROWS) : [];
  const rows = comparison.variations.flatMap(({ pair, comparison: each }) =>
    select(each).map(row => toTableRow(row, pair.name)),
  );
  return {
    base: comparison.base,
    counts: countVerdicts(comparison.variations.flatMap(({ comparison: each }) => each?.rows ?? [])),
    notes: [
      formatSweepHeadline(comparison),
      ...listSweepDifferences(comparison),
      ...listSweepNotes(comparison),
    ],
    rows: rows.slice(0, MAX_ROWS),
    more: Math.max(0, rows.length - MAX_ROWS),
  };
}

function countVerdicts(rows: readonly ComparisonRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of rows) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

function toTableRow(row: ComparisonRow, variation?: string): ComparisonTable['rows'][number] {
  return {
    ...(variation === undefined ? {} : { variation }),
    metric: row.name,
    labels: Object.entries(row.distinguishingLabels)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .join(', '),
    stat: row.stat,
    unit: row.unit,
    verdict: row.verdict,
    base: row.base,
    new: row.new,
    change: row.change,
    noise: row.noise,
  };
}
