import type { Comparison, ComparisonRow, Verdict } from '@org/analysis';
import { formatValue } from '@org/core';
import { stripServerPrefix } from '@org/servers';
import { toPrintable } from '@org/terminal';
import { countColumns, padEnd, padStart, truncateMiddle, wrapText } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';
import {
  describeMethod,
  describeOneSided,
  formatChange,
  formatHeadline,
  formatNoise,
  formatPValue,
  formatRowName,
  formatSideName,
  selectRows,
  summarizeVerdicts,
} from './comparisonText.ts';

/** Widths of the number columns. */
const NUMBER_WIDTHS = [9, 9, 10, 10, 7] as const;
const NUMBER_HEADS = ['base', 'new', 'change', 'noise', 'p'] as const;
const MIN_NAME_COLUMNS = 26;
const MARK_WIDTH = 2;

const MARKS: Readonly<Record<Verdict, string>> = {
  worse: '✗',
  better: '✓',
  changed: '~',
  same: '=',
  'no evidence': '·',
  untested: '?',
};

/** Renders a comparison for a terminal: the result, the changes, the totals, and how they were tested. */
export function renderComparisonScreen(comparison: Comparison, all: boolean, screen: Screen): string {
  const { paint, width } = screen;
  const rows = selectRows(comparison, all, Math.max(8, Math.min(60, screen.height - 12)));
  const rest = comparison.rows.length - rows.length;
  const title = `${formatSideName(comparison.base)} → ${formatSideName(comparison.new)}`;
  const lines = [
    `${paint.bold(formatHeadline(comparison))}  ${truncateMiddle(toPrintable(title), Math.max(20, width - formatHeadline(comparison).length - 2))}`,
    ...(rows.length > 0 ? ['', ...renderTable(rows, screen)] : []),
    '',
    ...wrapText(summarizeVerdicts(comparison.rows) + (rest > 0 ? `; ${rest} not shown (--all)` : ''), width),
    ...describeOneSided(comparison).flatMap(text => wrapText(text, width)),
    ...[...comparison.notes, describeMethod(comparison)]
      .flatMap(note => wrapText(note, width))
      .map(line => paint.dim(line)),
  ];
  return lines.join('\n');
}

function renderTable(rows: readonly ComparisonRow[], { width, paint }: Screen): string[] {
  const kept = selectColumnsFor(width);
  const name = width - MARK_WIDTH - kept.reduce((sum, i) => sum + NUMBER_WIDTHS[i]!, 0);
  const whole = rows.map(row => toPrintable(formatRowName(row)));
  // In narrow terminals, the server's prefix is removed first.
  const isTight = whole.some(text => countColumns(text) >= name);
  const names = isTight
    ? rows.map(row => toPrintable(formatRowName({ ...row, name: stripServerPrefix(row.name) })))
    : whole;
  const longest = names.reduce((most, text) => Math.max(most, countColumns(text)), 0) + 2;
  const named = Math.min(name, Math.max(longest, MIN_NAME_COLUMNS));
  const lines = rows.map((row, at) => {
    const color =
      { worse: paint.red, better: paint.green, changed: paint.yellow }[row.verdict as string] ?? paint.dim;
    const cells = renderNumbers(row, color, kept);
    return `${color(MARKS[row.verdict])} ${padEnd(truncateMiddle(names[at]!, named - 1), named)}${cells.join('')}`;
  });
  const heads = kept.map(i => paint.dim(padStart(NUMBER_HEADS[i]!, NUMBER_WIDTHS[i]!)));
  return [`${' '.repeat(MARK_WIDTH + named)}${heads.join('')}`, ...lines].map(line => line.trimEnd());
}

function renderNumbers(
  row: ComparisonRow,
  color: (text: string) => string,
  kept: readonly number[],
): string[] {
  const all = [
    formatValue(row.base, row.unit, NUMBER_WIDTHS[0] - 1),
    formatValue(row.new, row.unit, NUMBER_WIDTHS[1] - 1),
    formatChange(row),
    formatNoise(row),
    formatPValue(row),
  ];
  return kept.map(i => {
    const text = padStart(all[i]!, NUMBER_WIDTHS[i]!);
    return NUMBER_HEADS[i] === 'change' ? color(text) : text;
  });
}

/** Selects the columns for a width: p is removed first, then the noise; the change stays. */
function selectColumnsFor(width: number): number[] {
  const order = [4, 3, 0];
  const kept = new Set(NUMBER_WIDTHS.keys());
  const taken = (): number =>
    [...kept].reduce((sum, i) => sum + NUMBER_WIDTHS[i]!, MARK_WIDTH + MIN_NAME_COLUMNS);
  for (const column of order) if (taken() > width) kept.delete(column);
  return [...kept].sort((a, b) => a - b);
}
