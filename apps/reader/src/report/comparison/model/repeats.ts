import type { Comparison, ComparisonRow } from '@org/analysis';
import { formatValue } from '@org/core';
import { formatRowName } from '../../../compare/comparisonText.ts';
import type { DotLine } from '../../../svg/dotRow.ts';
import { toEffectRow } from './effects.ts';
import { listMetricTitles } from './metricTitles.ts';
import type { Side } from './sides.ts';

/** The values of a metric in each repeated run. */
export interface RepeatRow {
  readonly title: string;
  readonly metric: string;
  /** The lowest and the highest value, formatted. */
  readonly range: readonly [low: string, high: string];
  readonly lines: readonly DotLine[];
}

/** The maximum number of metrics. */
const MAX_ROWS = 10;

/** Lists the key metrics with the value of each run; empty if no side has repeated runs. */
export function buildRepeats(comparisons: readonly Comparison[], sides: readonly Side[]): RepeatRow[] {
  if (sides.every(({ runs }) => runs.length < 2)) return [];
  const titles = listMetricTitles(comparisons[0]!.new[0]!);
  return comparisons[0]!.rows
    .filter(({ isKey, base, new: value }) => isKey && (base !== 0 || value !== 0))
    .slice(0, MAX_ROWS)
    .map(row => {
      const lines = [row.runs[0], ...comparisons.map(({ rows }) => findRow(rows, row)?.runs[1] ?? [])];
      const all = lines.flat();
      const format = (value: number): string => formatValue(Number(value.toPrecision(4)), row.unit);
      const { title, metric } = toEffectRow(row, titles);
      return {
        title,
        metric,
        range: [format(Math.min(...all)), format(Math.max(...all))],
        lines: lines.map((values, i) => ({ color: sides[i]!.color, values })),
      };
    });
}

function findRow(rows: readonly ComparisonRow[], wanted: ComparisonRow): ComparisonRow | undefined {
  const key = formatRowName(wanted);
  return rows.find(row => formatRowName(row) === key);
}
