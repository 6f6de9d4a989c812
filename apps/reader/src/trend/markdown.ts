import type { RunTrend, TrendGroup } from '@org/analysis';
import { formatValue } from '@org/core';
import {
  escapeMarkdown,
  formatMarkdownCode,
  type MarkdownColumn,
  renderMarkdownTable,
  renderSparkline,
} from '@org/terminal/layout';
import {
  describeDrift,
  describeMethods,
  describeSetting,
  formatChange,
  formatFigure,
  formatHeadline,
  formatLevel,
  formatP,
  formatPeriod,
  listDrifts,
  listEvents,
  listNotes,
  nameRuns,
} from './trendText.ts';
import { formatWorkload } from './workloadText.ts';

const MARKS = { worse: '❌', better: '✅', changed: '↔️' } as const;
const SHAPE_COLUMNS = 30;

const CHANGE_COLUMNS: readonly MarkdownColumn[] = [
  { head: '' },
  { head: 'metric' },
  { head: 'before' },
  { head: 'after' },
  { head: 'change', align: 'right' },
  { head: 'p', align: 'right' },
];

const METRIC_COLUMNS: readonly MarkdownColumn[] = [
  { head: 'metric' },
  { head: 'first', align: 'right' },
  { head: 'last', align: 'right' },
  { head: 'over the runs' },
];

/** Renders a trend as Markdown, for example for a comment of a CI job. */
export function renderTrendMarkdown(trend: RunTrend): string {
  const notes = listNotes(trend)
    .map(note => `- ${escapeMarkdown(note)}`)
    .join('\n');
  return `${[...trend.groups.flatMap(group => renderGroup(group, trend)), notes].filter(part => part !== '').join('\n\n')}\n`;
}

function renderGroup(group: TrendGroup, trend: RunTrend): string[] {
  const names = nameRuns(trend);
  const formatRun = (index: number): string =>
    `run ${index + 1} ${formatMarkdownCode(names.get(group.runs[index]!)!)}`;
  const { method, exceptions } = describeMethods(group, trend);
  return [
    `### Trend: ${formatHeadline(group, trend)}`,
    `${formatPeriod(group)}${trend.groups.length === 1 ? '' : `: ${escapeMarkdown(formatWorkload(group, trend.groups))}`}`,
    ...listEvents(group).flatMap(({ before, after, changes }) => [
      `**Between ${formatRun(before)} and ${formatRun(after)}**`,
      renderMarkdownTable(
        CHANGE_COLUMNS,
        changes.map(({ metric, change }) => [
          MARKS[change.verdict],
          `${escapeMarkdown(metric.server)} ${formatMarkdownCode(formatFigure(metric))}`,
          formatLevel(change.from, metric.unit),
          formatLevel(change.to, metric.unit),
          `**${formatChange(change.change)}**`,
          formatP(change.p).replace('<', '&lt;'),
        ]),
      ),
    ]),
    listDrifts(group)
      .map(
        metric =>
          `- ${MARKS[metric.drift!.verdict]} ${escapeMarkdown(metric.server)} ${formatMarkdownCode(formatFigure(metric))}: ${escapeMarkdown(describeDrift(metric))}`,
      )
      .join('\n'),
    group.settingChanges
      .map(change => `- at ${formatRun(change.at)}: ${escapeMarkdown(describeSetting(change))}`)
      .join('\n'),
    `<details><summary>All metrics</summary>\n\n${renderMetrics(group)}\n\n</details>`,
    [...exceptions, ...method].map(text => `- ${escapeMarkdown(text)}`).join('\n'),
  ].filter(part => part !== '');
}

function renderMetrics({ metrics }: TrendGroup): string {
  const rows = metrics.map(metric => {
    const known = metric.values.filter(value => value !== null);
    return [
      `${escapeMarkdown(metric.server)} ${formatMarkdownCode(formatFigure(metric))}`,
      formatValue(known[0]!, metric.unit),
      formatValue(known.at(-1)!, metric.unit),
      renderSparkline(metric.values, SHAPE_COLUMNS),
    ];
  });
  return renderMarkdownTable(METRIC_COLUMNS, rows);
}
