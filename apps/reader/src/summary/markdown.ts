import {
  combineSeries,
  computeRequestTime,
  explainUnknownGoodput,
  type Finding,
  type FindingOptions,
  findFindings,
  findKeyMetrics,
  findPartialCoverages,
  formatDerived,
  isFailureFinding,
  type KeyMetric,
  listUrlMetrics,
  type Run,
  readStageTrends,
  type ServerKeyMetrics,
  selectNotableDerived,
} from '@org/analysis';
import { formatValue } from '@org/core';
import {
  escapeMarkdown,
  formatMarkdownCode,
  type MarkdownColumn,
  renderMarkdownTable,
  renderSparkline,
} from '@org/terminal/layout';
import { formatRate } from '../rateInterval.ts';
import { describeDerived } from './derivedTable.ts';
import { formatEndpoint } from './header.ts';
import { groupByMetric, hasPartialRate } from './metricTable.ts';
import { describeKvTransfer, formatTimes, KV_TRANSFER_TITLE, STAGE_TITLES } from './requestTimeTable.ts';
import {
  createFindingDescriber,
  describeContents,
  describeEndpoint,
  describePartialRates,
  describePeriod,
} from './summaryText.ts';
import { formatUrl, URL_HEADS } from './urlTable.ts';

const STATE_SYMBOLS = { ok: '✅', impaired: '⚠️', without_data: '❌', no_metrics: 'ℹ️' } as const;
const SEVERITY_SYMBOLS = { problem: '❌', warning: '⚠️', note: 'ℹ️' } as const;
/** The maximum number of endpoints to list. */
const MAX_ENDPOINTS = 20;
const TREND_COLUMNS = 16;

/** Renders the summary of a run as Markdown, with text from servers escaped. */
export function renderSummaryMarkdown(run: Run, options: FindingOptions = {}): string {
  const findings = findFindings(run, options);
  const partial = findPartialCoverages(run);
  const partialUrls = new Set(partial.keys());
  const servers = findKeyMetrics(run);
  const groups = servers.flatMap(({ metrics }) => groupByMetric(metrics));
  return `${[
    `## ${escapeMarkdown(run.name)}`,
    [...describePeriod(run), describeContents(run)].join(', '),
    renderEndpoints(run),
    renderFindings(run, 'Failures', findings.filter(isFailureFinding)),
    ...servers.map(server => renderServer(server, partialUrls)),
    groups.some(group => hasPartialRate(group, partialUrls))
      ? escapeMarkdown(describePartialRates(partial))
      : '',
    renderUrls(run),
    renderRequestTime(run),
    renderDerived(run),
    renderFindings(
      run,
      'Findings',
      findings.filter(finding => !isFailureFinding(finding)),
    ),
    run.notes.map(note => `> ${escapeMarkdown(note)}`).join('\n'),
  ]
    .filter(part => part !== '')
    .join('\n\n')}\n`;
}

/** Lists the endpoints, starting with those that have problems. */
function renderEndpoints({ endpoints }: Run): string {
  const sorted = [...endpoints].sort((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok'));
  const lines = sorted.slice(0, MAX_ENDPOINTS).map(endpoint => {
    const parts = describeEndpoint(endpoint).map(escapeMarkdown).join(', ');
    return `- ${STATE_SYMBOLS[endpoint.state]} ${formatMarkdownCode(formatEndpoint(endpoint))} ${parts}`.trimEnd();
  });
  const omittedCount = endpoints.length - lines.length;
  return [...lines, ...(omittedCount > 0 ? [`- and ${omittedCount} more`] : [])].join('\n');
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

function renderServer({ server, metrics }: ServerKeyMetrics, partialUrls: ReadonlySet<string>): string {
  const rows = groupByMetric(metrics).map(group => renderRow(group, partialUrls));
  const columns = COLUMNS.filter((_, i) => i === 0 || rows.some(cells => cells[i] !== ''));
  const shownRows = rows.map(cells => cells.filter((_, i) => columns.includes(COLUMNS[i]!)));
  return `### ${escapeMarkdown(server.name)}\n\n${renderMarkdownTable(columns, shownRows)}`;
}

function renderRow(group: readonly KeyMetric[], partialUrls: ReadonlySet<string>): string[] {
  const mark = hasPartialRate(group, partialUrls) ? '*' : '';
  const combined = combineSeries(group);
  const {
    avg,
    max,
    total,
    rate,
    rate_upper: upper,
    count,
    p99_estimate,
    p99,
  } = combined.stats as Readonly<Record<string, number | undefined>>;
  const format = (value: number | undefined, unit: string | null): string =>
    value === undefined ? '' : formatValue(value, unit);
  return [
    `${formatMarkdownCode(group[0]!.metric.name)}${group.length > 1 ? ` ×${group.length}` : ''}`,
    format(avg, combined.unit),
    format(p99_estimate ?? p99, combined.unit),
    format(max, combined.unit),
    format(total ?? count, total === undefined ? null : combined.unit),
    rate === undefined ? '' : `${formatRate(rate, upper, combined.unit)}${mark}`,
    renderSparkline(combined.trend, TREND_COLUMNS),
  ];
}

/** Renders the client's metrics by URL; empty with a single URL whose goodput per server is not asked for. */
function renderUrls(run: Run): string {
  const urls = listUrlMetrics(run);
  const unknown = explainUnknownGoodput(run);
  const table = renderMarkdownTable(
    [{ head: 'URL' }, ...URL_HEADS.map(head => ({ head, align: 'right' as const }))],
    urls.map(url => [escapeMarkdown(url.url), ...formatUrl(url)]),
  );
  if (urls.length > 0) return `### Requests by URL\n\n${table}`;
  return unknown === undefined ? '' : `- ${unknown}`;
}

/** Renders where the time of a mean request goes; empty if no server measured requests. */
function renderRequestTime(run: Run): string {
  const time = computeRequestTime(run);
  if (!time) return '';
  const trends = readStageTrends(time);
  const rows = time.stages.map(stage => [
    STAGE_TITLES[stage.stage],
    ...formatTimes(stage),
    renderSparkline(trends.get(stage.stage) ?? [], TREND_COLUMNS),
  ]);
  const table = renderMarkdownTable(TIME_COLUMNS, [
    ...rows,
    ['request', ...formatTimes({ ...time, share: 1 }), ''],
    ...(time.kvTransfer ? [[KV_TRANSFER_TITLE, ...formatTimes(time.kvTransfer), '']] : []),
  ]);
  const overlap = time.kvTransfer ? [`- ${describeKvTransfer(time.kvTransfer, time.requests)}`] : [];
  const unknown = time.unknown.map(sentence => `- not known: ${escapeMarkdown(sentence)}`);
  return ['### Time of a request', table, [...overlap, ...unknown].join('\n')]
    .filter(part => part !== '')
    .join('\n\n');
}

/** Renders the derived metrics that say something; empty if there are none. */
function renderDerived(run: Run): string {
  const values = selectNotableDerived(run);
  if (values.length === 0) return '';
  const rows = values.map(value => [
    escapeMarkdown(describeDerived(value, values)),
    formatDerived(value),
    renderSparkline(
      value.slices.map(slice => slice.value),
      TREND_COLUMNS,
    ),
    escapeMarkdown(value.formula.meaning),
  ]);
  return `### Derived metrics\n\n${renderMarkdownTable(DERIVED_COLUMNS, rows)}`;
}

const DERIVED_COLUMNS: readonly MarkdownColumn[] = [
  { head: 'metric' },
  { head: 'value', align: 'right' },
  { head: 'over time' },
  { head: 'meaning' },
];

const TIME_COLUMNS: readonly MarkdownColumn[] = [
  { head: 'stage' },
  { head: 'mean', align: 'right' },
  { head: 'share', align: 'right' },
  { head: 'p50', align: 'right' },
  { head: 'p99 (bounds)', align: 'right' },
  { head: 'over time' },
];

function renderFindings(run: Run, title: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  const describe = createFindingDescriber(run);
  const lines = findings.map(finding => {
    const { title, text } = describe(finding);
    return `- ${SEVERITY_SYMBOLS[finding.severity]} **${escapeMarkdown(title)}** ${escapeMarkdown(text)}<br>${escapeMarkdown(finding.advice)}`;
  });
  return `### ${title}\n\n${lines.join('\n')}`;
}
