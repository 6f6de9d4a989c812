import type { Comparison, Row, Verdict } from '@org/analysis';
import { formatValue } from '@org/core';
import { stripServerPrefix } from '@org/servers';
import { countColumns, padEnd, padStart, toPrintable, truncateMiddle, wrapText } from '@org/terminal';
import type { Look } from '../screen.ts';
import {
  changeText,
  headline,
  method,
  noiseText,
  oneSided,
  pText,
  rowName,
  shownRows,
  sideName,
  tally,
} from './comparisonText.ts';

/** Columns of figures: 9 each for the two values, the change and its noise, 7 for p. */
const FIGURES = [9, 9, 10, 10, 7] as const;
const HEADS = ['base', 'new', 'change', 'noise', 'p'] as const;
const LEAST_NAME = 26;
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
export function comparisonScreen(comparison: Comparison, all: boolean, look: Look): string {
  const { paint, width } = look;
  const rows = shownRows(comparison, all, Math.max(8, Math.min(60, look.height - 12)));
  const rest = comparison.rows.length - rows.length;
  const title = `${sideName(comparison.base)} → ${sideName(comparison.new)}`;
  const lines = [
    `${paint.bold(headline(comparison))}  ${truncateMiddle(toPrintable(title), Math.max(20, width - headline(comparison).length - 2))}`,
    ...(rows.length > 0 ? ['', ...table(rows, look)] : []),
    '',
    ...wrapText(tally(comparison.rows) + (rest > 0 ? `; ${rest} not shown (--all)` : ''), width),
    ...oneSided(comparison).flatMap(text => wrapText(text, width)),
    ...[...comparison.notes, method(comparison)]
      .flatMap(note => wrapText(note, width))
      .map(line => paint.dim(line)),
  ];
  return lines.join('\n');
}

function table(rows: readonly Row[], { width, paint }: Look): string[] {
  const kept = columnsFor(width);
  const name = width - MARK - kept.reduce((sum, i) => sum + FIGURES[i]!, 0);
  const whole = rows.map(row => toPrintable(rowName(row)));
  // Where there is little room, the server's prefix goes first.
  const isTight = whole.some(text => countColumns(text) >= name);
  const names = isTight
    ? rows.map(row => toPrintable(rowName({ ...row, name: stripServerPrefix(row.name) })))
    : whole;
  const longest = names.reduce((most, text) => Math.max(most, countColumns(text)), 0) + 2;
  const named = Math.min(name, Math.max(longest, LEAST_NAME));
  const lines = rows.map((row, at) => {
    const colour =
      { worse: paint.red, better: paint.green, changed: paint.yellow }[row.verdict as string] ?? paint.dim;
    const cells = figures(row, colour, kept);
    return `${colour(MARKS[row.verdict])} ${padEnd(truncateMiddle(names[at]!, named - 1), named)}${cells.join('')}`;
  });
  const heads = kept.map(i => paint.dim(padStart(HEADS[i]!, FIGURES[i]!)));
  return [`${' '.repeat(MARK + named)}${heads.join('')}`, ...lines].map(line => line.trimEnd());
}

function figures(row: Row, colour: (text: string) => string, kept: readonly number[]): string[] {
  const all = [
    formatValue(row.base, row.unit, FIGURES[0] - 1),
    formatValue(row.new, row.unit, FIGURES[1] - 1),
    changeText(row),
    noiseText(row),
    pText(row),
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
  const taken = (): number => [...kept].reduce((sum, i) => sum + FIGURES[i]!, MARK + LEAST_NAME);
  for (const column of order) if (taken() > width) kept.delete(column);
  return [...kept].sort((a, b) => a - b);
}
