import type { Comparison, ComparisonRow, Verdict } from '@org/analysis';
import { formatCount, formatValue } from '@org/core';
import {
  escapeMarkdown,
  formatMarkdownCode,
  type MarkdownColumn,
  renderMarkdownTable,
} from '@org/terminal/layout';
import {
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

/** GitHub limits comments to 65,536 characters. A comment with this many rows stays well below that, even with long names. */
const MAX_ROWS = 50;

/** Renders a comparison for a pull request, with less important rows folded. */
export function renderComparisonMarkdown(comparison: Comparison, all: boolean): string {
  const shown = selectRows(comparison, all, MAX_ROWS);
  const shownRows = new Set(shown);
  const rest = comparison.rows.filter(row => !shownRows.has(row));
  const folded = all ? [] : rest.slice(0, MAX_ROWS);
  const more = rest.length - folded.length;
  return `${[
    `### Server metrics: ${formatHeadline(comparison)}`,
    `${formatMarkdownCode(formatSideName(comparison.base))} → ${formatMarkdownCode(formatSideName(comparison.new))}: ${summarizeVerdicts(comparison.rows)}`,
    ...(shown.length > 0 ? [renderMarkdownTable(COLUMNS, shown.map(renderCells))] : []),
    ...(folded.length > 0 ? [renderFolded(folded, more)] : []),
    ...describeOneSided(comparison).map(escapeMarkdown),
    listNotes(comparison)
      .map(note => `- ${escapeMarkdown(note)}`)
      .join('\n'),
  ].join('\n\n')}\n`;
}

function renderFolded(rows: readonly ComparisonRow[], more: number): string {
  const title = `${formatCount(rows.length, 'more row')}${more > 0 ? `, and ${more} not listed` : ''}`;
  return `<details><summary>${title}</summary>\n\n${renderMarkdownTable(COLUMNS, rows.map(renderCells))}\n\n</details>`;
}

function renderCells(row: ComparisonRow): string[] {
  const change = formatChange(row);
  return [
    MARKS[row.verdict],
    formatMarkdownCode(formatRowName(row)),
    formatValue(row.base, row.unit),
    formatValue(row.new, row.unit),
    row.verdict === 'worse' || row.verdict === 'better' ? `**${change}**` : change,
    formatNoise(row),
    formatPValue(row).replace('<', '&lt;'),
  ];
}
