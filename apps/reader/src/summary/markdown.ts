import {
  combineSeries,
  type FindingOptions,
  findFindings,
  findKeyMetrics,
  type KeyMetric,
  type Run,
  type ServerKeyMetrics,
} from '@org/analysis';
import { formatValue } from '@org/core';
import {
  escapeMarkdown,
  formatMarkdownCode,
  type MarkdownColumn,
  renderMarkdownTable,
  renderSparkline,
} from '@org/terminal/layout';
import { createFindingDescriber, describeContents, describeEndpoint, describePeriod } from './summaryText.ts';

const STATE_SYMBOLS = { ok: '✅', impaired: '⚠️', without_data: '❌' } as const;
const SEVERITY_SYMBOLS = { problem: '❌', warning: '⚠️', note: 'ℹ️' } as const;
const MAX_ENDPOINTS = 20;
const TREND_COLUMNS = 16;

/** Renders a summary for a pull request or a wiki page. Text from servers is escaped. */
export function renderSummaryMarkdown(run: Run, options: FindingOptions = {}): string {
  return `${[
    `## ${escapeMarkdown(run.name)}`,
    [...describePeriod(run), describeContents(run)].join(', '),
    renderEndpoints(run),
    ...findKeyMetrics(run).map(renderServer),
    renderFindings(run, options),
    run.notes.map(note => `> ${escapeMarkdown(note)}`).join('\n'),
  ]
    .filter(part => part !== '')
    .join('\n\n')}\n`;
}

/** Lists the endpoints, starting with those that have problems. */
function renderEndpoints({ endpoints: all }: Run): string {
  const sorted = [...all].sort((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok'));
  const lines = sorted.slice(0, MAX_ENDPOINTS).map(endpoint => {
    const parts = describeEndpoint(endpoint).map(escapeMarkdown).join(', ');
    return `- ${STATE_SYMBOLS[endpoint.state]} ${formatMarkdownCode(endpoint.url)} ${parts}`.trimEnd();
  });
  const more = all.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

const COLUMNS: readonly MarkdownColumn[] = [
  { head: 'metric' },
  { head: 'avg', align: 'right' },
  { head: 'p99', align: 'right' },
  { head: 'max', align: 'right' },
  { head: 'total', align: 'right' },
  { head: 'per s', align: 'right' },
  { head: 'over time' },
];

function renderServer({ server, metrics }: ServerKeyMetrics): string {
  const byName = new Map<string, KeyMetric[]>();
  for (const figure of metrics) {
    const group = byName.get(figure.metric.name);
    if (group) group.push(figure);
    else byName.set(figure.metric.name, [figure]);
  }
  const rows = [...byName].map(([name, group]) => renderRow(name, group));
  const columns = COLUMNS.filter((_, i) => i === 0 || rows.some(cells => cells[i] !== ''));
  const kept = rows.map(cells => cells.filter((_, i) => columns.includes(COLUMNS[i]!)));
  return `### ${escapeMarkdown(server.name)}\n\n${renderMarkdownTable(columns, kept)}`;
}

function renderRow(name: string, group: readonly KeyMetric[]): string[] {
  const figure = combineSeries(group);
  const { avg, max, total, rate, count, p99_estimate, p99 } = figure.stats as Readonly<
    Record<string, number | undefined>
  >;
  const format = (value: number | undefined, unit: string | null): string =>
    value === undefined ? '' : formatValue(value, unit);
  return [
    `${formatMarkdownCode(name)}${group.length > 1 ? ` ×${group.length}` : ''}`,
    format(avg, figure.unit),
    format(p99_estimate ?? p99, figure.unit),
    format(max, figure.unit),
    format(total ?? count, total === undefined ? null : figure.unit),
    format(rate, figure.unit),
    renderSparkline(figure.trend, TREND_COLUMNS),
  ];
}

function renderFindings(run: Run, options: FindingOptions): string {
  const found = findFindings(run, options);
  if (found.length === 0) return '';
  const describe = createFindingDescriber(run);
  const lines = found.map(finding => {
    const { title, text } = describe(finding);
    return `- ${SEVERITY_SYMBOLS[finding.severity]} **${escapeMarkdown(title)}** ${escapeMarkdown(text)}<br>${escapeMarkdown(finding.advice)}`;
  });
  return `### Findings\n\n${lines.join('\n')}`;
}
