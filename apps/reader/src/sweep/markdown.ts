import { formatVariationName, type RunSet } from '@org/analysis';
import { stringifyJson } from '@org/formats/write';
import { drawMarkdownTable, escapeMarkdown, type MarkdownColumn } from '@org/terminal/layout';
import { buildIntervalRows, formatSweepCell, INTERVAL_HEADS, selectColumns } from './screen.ts';

/** Renders the results of several runs for a pull request or a wiki page. */
export function renderRunSetMarkdown(several: RunSet): string {
  return `## ${escapeMarkdown(several.name)}\n\n${several.kind === 'sweep' ? renderVariations(several) : renderIntervals(several)}\n`;
}

function renderIntervals({ aggregate }: RunSet & { kind: 'repeated' }): string {
  const { num_successful_runs: runs, num_profile_runs: all } = aggregate.metadata;
  const columns: MarkdownColumn[] = [
    { head: 'figure' },
    ...INTERVAL_HEADS.map(head => ({ head, align: 'right' as const })),
  ];
  const rows = buildIntervalRows(aggregate).map(cells => cells.map(escapeMarkdown));
  return `${runs} of ${all} runs\n\n${drawMarkdownTable(columns, rows)}`;
}

function renderVariations({ sweep }: RunSet & { kind: 'sweep' }): string {
  const all = sweep.per_combination_metrics;
  const best = new Set((sweep.pareto_optimal ?? []).map(variation => stringifyJson(variation)));
  const shown = selectColumns(all);
  const columns: MarkdownColumn[] = [
    { head: '' },
    { head: 'variation' },
    { head: 'runs', align: 'right' },
    ...shown.map(({ short }) => ({ head: short, align: 'right' as const })),
  ];
  const rows = all.map(variation => [
    best.has(stringifyJson(variation.parameters)) ? '●' : '',
    escapeMarkdown(formatVariationName(variation)),
    String(variation.num_successful_runs ?? ''),
    ...shown.map(({ metric }) => escapeMarkdown(formatSweepCell(variation, metric))),
  ]);
  return drawMarkdownTable(columns, rows);
}
