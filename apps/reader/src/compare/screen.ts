import type { Comparison, ComparisonRow, Verdict } from '@org/analysis';
import { toPrintable } from '@org/terminal';
import { countColumns, padStart, renderNamed, wrapText } from '@org/terminal/layout';
import { formatRate } from '../rateInterval.ts';
import type { Screen } from '../screen.ts';
import {
  describeDeadServers,
  describeDifferences,
  describeOneSided,
  formatChange,
  formatHeadline,
  formatNoise,
  formatPValue,
  formatRowName,
  formatSideName,
  listNotes,
  selectRows,
  summarizeVerdicts,
} from './comparisonText.ts';

/** Widths of the number columns, in terminal columns. */
const NUMBER_WIDTHS = [9, 9, 10, 10, 7] as const;
const NUMBER_HEADS = ['base', 'new', 'change', 'noise', 'p'] as const;
const MIN_NAME_COLUMNS = 26;
const MARK_WIDTH = 2;

const MARKS: Readonly<Record<Verdict, string>> = {
  worse: '✗',
  better: '✓',
  changed: '~',
  unchanged: '=',
  'no evidence': '·',
  untested: '?',
};

/** Renders a comparison for a terminal: headline, changes, totals, series without a counterpart, and notes. */
export function renderComparisonScreen(comparison: Comparison, showsAll: boolean, screen: Screen): string {
  const { paint, width } = screen;
  const rows = selectRows(comparison, showsAll, Math.max(8, Math.min(60, screen.height - 12)));
  const hiddenCount = comparison.rows.length - rows.length;
  const title = `${formatSideName(comparison.base)} → ${formatSideName(comparison.new)}`;
  const lines = [
    ...renderHead(formatHeadline(comparison), title, screen),
    ...describeDeadServers(comparison).flatMap(text => wrapText(toPrintable(text), width).map(paint.red)),
    ...describeDifferences(comparison).flatMap(text => wrapText(toPrintable(text), width).map(paint.yellow)),
    ...(rows.length > 0 ? ['', ...renderTable(rows, comparison.options, screen)] : []),
    '',
    ...wrapText(
      summarizeVerdicts(comparison.rows) + (hiddenCount > 0 ? `; ${hiddenCount} not shown (--all)` : ''),
      width,
    ),
    ...describeOneSided(comparison).flatMap(text => wrapText(text, width)),
    ...listNotes(comparison)
      .flatMap(note => wrapText(note, width))
      .map(line => paint.dim(line)),
  ];
  return lines.join('\n');
}

/** Renders the result and the names of the runs: on one line, or on separate lines if they do not fit together. */
function renderHead(headline: string, title: string, { paint, width }: Screen): string[] {
  const line = `${paint.bold(headline)}  ${toPrintable(title)}`;
  return countColumns(line) <= width
    ? [line]
    : [...wrapText(headline, width).map(paint.bold), ...wrapText(title, width)];
}

/** Renders the table of rows, with its head. */
export function renderTable(
  rows: readonly ComparisonRow[],
  { servers }: Pick<Comparison['options'], 'servers'>,
  { width, paint }: Screen,
): string[] {
  const columns = selectColumns(width);
  const available = width - MARK_WIDTH - columns.reduce((sum, i) => sum + NUMBER_WIDTHS[i]!, 0);
  // In narrow terminals, names are on separate lines.
  const maxNameWidth = available < MIN_NAME_COLUMNS ? width - MARK_WIDTH : available;
  const names = formatNames(rows, servers, maxNameWidth);
  const longestName = names.reduce((max, text) => Math.max(max, countColumns(text)), 0) + 2;
  const nameWidth =
    available < MIN_NAME_COLUMNS ? 0 : Math.min(available, Math.max(longestName, MIN_NAME_COLUMNS));
  const lines = rows.flatMap((row, i) => {
    const color =
      { worse: paint.red, better: paint.green, changed: paint.yellow }[row.verdict as string] ?? paint.dim;
    const cells = renderNumbers(row, color, columns).join('');
    const indent = row.isFollower ? '  ' : '';
    const named = renderNamed(names[i]!.trimStart(), cells, { nameWidth, width: width - MARK_WIDTH, indent });
    return named.map((line, j) => `${j === 0 ? color(MARKS[row.verdict]) : ' '} ${line}`);
  });
  const heads = columns.map(i => paint.dim(padStart(NUMBER_HEADS[i]!, NUMBER_WIDTHS[i]!)));
  return [`${' '.repeat(MARK_WIDTH + nameWidth)}${heads.join('')}`, ...lines].map(line => line.trimEnd());
}

/** Formats the names of rows. If any is wider than `width`, the server prefix is removed from all names. */
function formatNames(
  rows: readonly ComparisonRow[],
  servers: Comparison['options']['servers'],
  width: number,
): string[] {
  const format = (row: ComparisonRow): string =>
    `${row.isFollower ? '  ' : ''}${toPrintable(formatRowName(row))}`;
  const names = rows.map(format);
  return names.some(text => countColumns(text) >= width)
    ? rows.map(row => format({ ...row, name: servers.stripPrefix(row.name) }))
    : names;
}

function renderNumbers(
  row: ComparisonRow,
  color: (text: string) => string,
  columns: readonly number[],
): string[] {
  const texts = [
    formatRate(row.base, row.upper[0], row.unit, NUMBER_WIDTHS[0] - 1),
    formatRate(row.new, row.upper[1], row.unit, NUMBER_WIDTHS[1] - 1),
    formatChange(row),
    formatNoise(row),
    formatPValue(row),
  ];
  return columns.map(i => {
    const text = padStart(texts[i]!, NUMBER_WIDTHS[i]!);
    return NUMBER_HEADS[i] === 'change' ? color(text) : text;
  });
}

/**
 * Selects the number columns that fit into `width`. Columns that do not fit are omitted: first p, then noise,
 * then base.
 */
function selectColumns(width: number): number[] {
  const omissionOrder = [4, 3, 0];
  const selected = new Set(NUMBER_WIDTHS.keys());
  const computeWidth = (): number => [...selected].reduce((sum, i) => sum + NUMBER_WIDTHS[i]!, MARK_WIDTH);
  for (const column of omissionOrder) if (computeWidth() > width) selected.delete(column);
  return [...selected].sort((a, b) => a - b);
}
