import { describeSearch, formatVariationName, type RunSet } from '@org/analysis';
import type { SearchHistory } from '@org/formats';
import { stringifyJson } from '@org/formats/write';
import { escapeMarkdown, type MarkdownColumn, renderMarkdownTable } from '@org/terminal/layout';
import { countFailures, describeFailedRequests, formatFailures } from './failures.ts';
import { buildIntervalRows, formatSweepCell, INTERVAL_HEADS, selectColumns } from './screen.ts';

/** Renders the results of a sweep or of repeated runs as Markdown. */
export function renderRunSetMarkdown(runSet: RunSet): string {
  const notes = (runSet.notes ?? []).map(note => `**${escapeMarkdown(note)}**\n\n`).join('');
  const table = runSet.kind === 'sweep' ? renderVariations(runSet) : renderIntervals(runSet);
  return `## ${escapeMarkdown(runSet.name)}\n\n${notes}${table}\n`;
}

function renderIntervals({ aggregate }: RunSet & { kind: 'repeated' }): string {
  const { num_successful_runs: runs, num_profile_runs: total, requests } = aggregate.metadata;
  const failures = describeFailedRequests(countFailures(requests, aggregate.metrics));
  const columns: MarkdownColumn[] = [
    { head: 'metric' },
    ...INTERVAL_HEADS.map(head => ({ head, align: 'right' as const })),
  ];
  const rows = buildIntervalRows(aggregate).map(cells => cells.map(escapeMarkdown));
  return `${runs} of ${total} runs${failures === undefined ? '' : `, **${failures}**`}\n\n${renderMarkdownTable(columns, rows)}`;
}

/** Renders the result of a search: its boundary, and the evidence for it. */
function renderSearch(search: SearchHistory): string {
  const { headline, facts, warnings } = describeSearch(search);
  const items = facts
    .map(({ name, text }) => `- ${escapeMarkdown(name)}: ${escapeMarkdown(text)}\n`)
    .join('');
  const paragraphs = [...warnings, headline].map(text => `**${escapeMarkdown(text)}**\n\n`).join('');
  return `${paragraphs}${items}\n`;
}

function renderVariations({ sweep, search }: RunSet & { kind: 'sweep' }): string {
  const variations = sweep.per_combination_metrics;
  const optimal = new Set((sweep.pareto_optimal ?? []).map(variation => stringifyJson(variation)));
  const metricColumns = selectColumns(variations);
  const columns: MarkdownColumn[] = [
    { head: '' },
    { head: 'variation' },
    { head: 'runs', align: 'right' },
    { head: 'failed', align: 'right' },
    ...metricColumns.map(({ short }) => ({ head: short, align: 'right' as const })),
  ];
  const rows = variations.map(variation => [
    optimal.has(stringifyJson(variation.parameters)) ? '●' : '',
    escapeMarkdown(formatVariationName(variation)),
    String(variation.num_successful_runs ?? ''),
    formatFailures(countFailures(variation.requests, variation.metrics)),
    ...metricColumns.map(({ metric }) => escapeMarkdown(formatSweepCell(variation, metric))),
  ]);
  return `${search ? renderSearch(search) : ''}${renderMarkdownTable(columns, rows)}`;
}
