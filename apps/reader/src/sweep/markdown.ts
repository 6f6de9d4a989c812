import { type Several, variationName } from '@org/analysis';
import { stringifyJson } from '@org/formats/write';
import { drawMarkdownTable, escapeMarkdown, type MarkdownColumn } from '@org/terminal';
import { columnsOf, INTERVAL_HEADS, intervalRows, sweepCell } from './screen.ts';

/** What several runs said together, for a pull request or a wiki page. */
export function severalMarkdown(several: Several): string {
  return `## ${escapeMarkdown(several.name)}\n\n${several.kind === 'sweep' ? variations(several) : intervals(several)}\n`;
}

function intervals({ aggregate }: Several & { kind: 'repeated' }): string {
  const { num_successful_runs: runs, num_profile_runs: all } = aggregate.metadata;
  const columns: MarkdownColumn[] = [
    { head: 'figure' },
    ...INTERVAL_HEADS.map(head => ({ head, align: 'right' as const })),
  ];
  const rows = intervalRows(aggregate).map(cells => cells.map(escapeMarkdown));
  return `${runs} of ${all} runs\n\n${drawMarkdownTable(columns, rows)}`;
}

function variations({ sweep }: Several & { kind: 'sweep' }): string {
  const all = sweep.per_combination_metrics;
  const best = new Set((sweep.pareto_optimal ?? []).map(one => stringifyJson(one)));
  const shown = columnsOf(all);
  const columns: MarkdownColumn[] = [
    { head: '' },
    { head: 'variation' },
    { head: 'runs', align: 'right' },
    ...shown.map(({ short }) => ({ head: short, align: 'right' as const })),
  ];
  const rows = all.map(one => [
    best.has(stringifyJson(one.parameters)) ? '●' : '',
    escapeMarkdown(variationName(one)),
    String(one.num_successful_runs ?? ''),
    ...shown.map(({ metric }) => escapeMarkdown(sweepCell(one, metric))),
  ]);
  return drawMarkdownTable(columns, rows);
}
