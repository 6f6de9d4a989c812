import type { Comparison, ComparisonRow, Verdict } from '@org/analysis';
import { formatValue } from '@org/core';
import { stripServerPrefix } from '@org/servers';
import { countColumns, padEnd, padStart, toPrintable, truncateMiddle, wrapText } from '@org/terminal';
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

/** Columns of figures: 9 each for the two values, the change and its noise, 7 for p. */
const FIGURES = [9, 9, 10, 10, 7] as const;
const HEADS = ['base', 'new', 'change', 'noise', 'p'] as const;
const MIN_NAME_COLUMNS = 26;
const MARK = 2;

const MARKS: Readonly<Record<Verdict, string>> = {
  worse: '✗',
  better: '✓',
  changed: '~',
  same: '=',
  'no evidence': '·',
  untested: '?',
};

/** A comparison on the terminal: the answer, what changed, what cannot be told, and how it was tested. */
export function renderComparisonScreen(comparison: Comparison, all: boolean, look: Screen): string {
  const { paint, width } = look;
  const rows = selectRows(comparison, all, Math.max(8, Math.min(60, look.height - 12)));
  const rest = comparison.rows.length - rows.length;
  const title = `${formatSideName(comparison.base)} → ${formatSideName(comparison.new)}`;
  const lines = [
    `${paint.bold(formatHeadline(comparison))}  ${truncateMiddle(toPrintable(title), Math.max(20, width - formatHeadline(comparison).length - 2))}`,
    ...(rows.length > 0 ? ['', ...table(rows, look)] : []),
    '',
    ...wrapText(summarizeVerdicts(comparison.rows) + (rest > 0 ? `; ${rest} not shown (--all)` : ''), width),
    ...describeOneSided(comparison).flatMap(text => wrapText(text, width)),
    ...[...comparison.notes, describeMethod(comparison)]
      .flatMap(note => wrapText(note, width))
      .map(line => paint.dim(line)),
  ];
  return lines.join('\n');
}

function table(rows: readonly ComparisonRow[], { width, paint }: Screen): string[] {
  const kept = columnsFor(width);
  const name = width - MARK - kept.reduce((sum, i) => sum + FIGURES[i]!, 0);
  const whole = rows.map(row => toPrintable(formatRowName(row)));
  // Where there is little room, the server's prefix goes first.
  const isTight = whole.some(text => countColumns(text) >= name);
  const names = isTight
    ? rows.map(row => toPrintable(formatRowName({ ...row, name: stripServerPrefix(row.name) })))
    : whole;
  const longest = names.reduce((most, text) => Math.max(most, countColumns(text)), 0) + 2;
  const named = Math.min(name, Math.max(longest, MIN_NAME_COLUMNS));
  const lines = rows.map((row, at) => {
    const colour =
      { worse: paint.red, better: paint.green, changed: paint.yellow }[row.verdict as string] ?? paint.dim;
    const cells = figures(row, colour, kept);
    return `${colour(MARKS[row.verdict])} ${padEnd(truncateMiddle(names[at]!, named - 1), named)}${cells.join('')}`;
  });
  const heads = kept.map(i => paint.dim(padStart(HEADS[i]!, FIGURES[i]!)));
  return [`${' '.repeat(MARK + named)}${heads.join('')}`, ...lines].map(line => line.trimEnd());
}

function figures(row: ComparisonRow, colour: (text: string) => string, kept: readonly number[]): string[] {
  const all = [
    formatValue(row.base, row.unit, FIGURES[0] - 1),
    formatValue(row.new, row.unit, FIGURES[1] - 1),
    formatChange(row),
    formatNoise(row),
    formatPValue(row),
  ];
  return kept.map(i => {
    const text = padStart(all[i]!, FIGURES[i]!);
    return HEADS[i] === 'change' ? colour(text) : text;
  });
}

/** Where there is little room, p goes first, then the noise; the change stays. */
function columnsFor(width: number): number[] {
  const order = [4, 3, 0];
  const kept = new Set(FIGURES.keys());
  const taken = (): number => [...kept].reduce((sum, i) => sum + FIGURES[i]!, MARK + MIN_NAME_COLUMNS);
  for (const column of order) if (taken() > width) kept.delete(column);
  return [...kept].sort((a, b) => a - b);
}
