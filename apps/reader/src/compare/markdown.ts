import type { Comparison, ComparisonRow, Verdict } from '@org/analysis';
import { formatCount } from '@org/core';
import {
  escapeMarkdown,
  formatMarkdownCode,
  type MarkdownColumn,
  renderMarkdownTable,
} from '@org/terminal/layout';
import { formatRate } from '../rateInterval.ts';
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
  unchanged: '=',
  'no evidence': '·',
  untested: '?',
};

/**
 * The maximum number of rows per table unless `showsAll` is set. It keeps pull request comments below
 * GitHub's limit of 65,536 characters even if names are long.
 */
const MAX_ROWS = 50;

/**
 * Renders a comparison as Markdown for a pull request. Unless `showsAll` is set, the table contains up to
 * `MAX_ROWS` changes and key metrics, and up to `MAX_ROWS` other rows follow in a collapsed table.
 */
export function renderComparisonMarkdown(comparison: Comparison, showsAll: boolean): string {
  const visibleRows = selectRows(comparison, showsAll, MAX_ROWS);
  const visibleRowSet = new Set(visibleRows);
  const otherRows = comparison.rows.filter(row => !visibleRowSet.has(row));
  const collapsedRows = showsAll ? [] : otherRows.slice(0, MAX_ROWS);
  const omittedCount = otherRows.length - collapsedRows.length;
  return `${[
    `### Server metrics: ${formatHeadline(comparison)}`,
    `${formatMarkdownCode(formatSideName(comparison.base))} → ${formatMarkdownCode(formatSideName(comparison.new))}: ${summarizeVerdicts(comparison.rows)}`,
    ...[...describeDeadServers(comparison), ...describeDifferences(comparison)].map(
      text => `**${escapeMarkdown(text)}**`,
    ),
    ...(visibleRows.length > 0 ? [renderMarkdownTable(COLUMNS, visibleRows.map(renderCells))] : []),
    ...(collapsedRows.length > 0 ? [renderCollapsed(collapsedRows, omittedCount)] : []),
    ...describeOneSided(comparison).map(escapeMarkdown),
    listNotes(comparison)
      .map(note => `- ${escapeMarkdown(note)}`)
      .join('\n'),
  ].join('\n\n')}\n`;
}

/** The comparison of two sweeps, as text. */
interface VariationTables {
  readonly title: string;
  readonly base: string;
  readonly new: string;
  readonly variations: readonly { readonly title: string; readonly rows: readonly ComparisonRow[] }[];
  readonly notes: readonly string[];
}

/** Renders the comparison of two sweeps as Markdown, with a table per variation. */
export function renderVariationMarkdown({
  title,
  base,
  new: other,
  variations,
  notes,
}: VariationTables): string {
  return `${[
    `### Sweeps: ${title}`,
    `${formatMarkdownCode(base)} → ${formatMarkdownCode(other)}`,
    ...variations.flatMap(variation => [
      `#### ${escapeMarkdown(variation.title)}`,
      ...(variation.rows.length > 0 ? [renderMarkdownTable(COLUMNS, variation.rows.map(renderCells))] : []),
    ]),
    notes.map(note => `- ${escapeMarkdown(note)}`).join('\n'),
  ].join('\n\n')}\n`;
}

function renderCollapsed(rows: readonly ComparisonRow[], omittedCount: number): string {
  const title = `${formatCount(rows.length, 'more row')}${omittedCount > 0 ? `, and ${omittedCount} not listed` : ''}`;
  return `<details><summary>${title}</summary>\n\n${renderMarkdownTable(COLUMNS, rows.map(renderCells))}\n\n</details>`;
}

function renderCells(row: ComparisonRow): string[] {
  const change = formatChange(row);
  return [
    MARKS[row.verdict],
    formatMarkdownCode(formatRowName(row)),
    formatRate(row.base, row.upper[0], row.unit),
    formatRate(row.new, row.upper[1], row.unit),
    row.verdict === 'worse' || row.verdict === 'better' ? `**${change}**` : change,
    formatNoise(row),
    formatPValue(row).replace('<', '&lt;'),
  ];
}
