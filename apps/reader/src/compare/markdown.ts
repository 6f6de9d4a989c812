import type { Comparison, Row, Verdict } from '@org/analysis';
import { formatValue } from '@org/core';
import { drawMarkdownTable, escapeMarkdown, formatMarkdownCode, type MarkdownColumn } from '@org/terminal';
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

const COLUMNS: readonly MarkdownColumn[] = [
  { head: '' },
  { head: 'series' },
  { head: 'base', align: 'right' },
  { head: 'new', align: 'right' },
  { head: 'change', align: 'right' },
  { head: 'noise', align: 'right' },
  { head: 'p', align: 'right' },
];

const MARKS: Readonly<Record<Verdict, string>> = {
  worse: '❌',
  better: '✅',
  changed: '↔️',
  same: '=',
  'no evidence': '·',
  untested: '?',
};

/** GitHub takes 65,536 characters in a comment; this many rows of long names stay well below. */
const MOST_ROWS = 50;

/** A comparison for a pull request: what matters first, the rest folded away. */
export function comparisonMarkdown(comparison: Comparison, all: boolean): string {
  const shown = shownRows(comparison, all, MOST_ROWS);
  const told = new Set(shown);
  const rest = comparison.rows.filter(row => !told.has(row));
  const folded = all ? [] : rest.slice(0, MOST_ROWS);
  const more = rest.length - folded.length;
  return `${[
    `### Server metrics: ${headline(comparison)}`,
    `${formatMarkdownCode(sideName(comparison.base))} → ${formatMarkdownCode(sideName(comparison.new))}: ${tally(comparison.rows)}`,
    ...(shown.length > 0 ? [drawMarkdownTable(COLUMNS, shown.map(cells))] : []),
    ...(folded.length > 0 ? [fold(folded, more)] : []),
    ...oneSided(comparison).map(escapeMarkdown),
    [...comparison.notes, method(comparison)].map(note => `- ${escapeMarkdown(note)}`).join('\n'),
  ].join('\n\n')}\n`;
}

function fold(rows: readonly Row[], more: number): string {
  const title = `${rows.length} more${more > 0 ? `, and ${more} that are not listed` : ''}`;
  return `<details><summary>${title}</summary>\n\n${drawMarkdownTable(COLUMNS, rows.map(cells))}\n\n</details>`;
}

function cells(row: Row): string[] {
  const change = changeText(row);
  return [
    MARKS[row.verdict],
    formatMarkdownCode(rowName(row)),
    formatValue(row.base, row.unit),
    formatValue(row.new, row.unit),
    row.verdict === 'worse' || row.verdict === 'better' ? `**${change}**` : change,
    noiseText(row),
    pText(row).replace('<', '&lt;'),
  ];
}
