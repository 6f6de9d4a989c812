import type { Buckets, EndpointInfo, Metric, ServerMetricsDocument } from '../generated/serverMetrics.ts';
import { sortNumericKeys } from '../json/numericKeys.ts';
import {
  CSV_SECTIONS,
  type CsvSection,
  INCREASE_COLUMNS,
  INFO_COLUMNS,
  LEAD_COLUMNS,
  STAT_COLUMNS,
  toLabelColumn,
  toTargetColumn,
} from './columns.ts';
import { nameEndpoints } from './endpointNames.ts';
import { orderLabels } from './labelOrder.ts';
import { type CsvLayout, type CsvOptions, formatCsv, resolveCsvLayout } from './layout.ts';

/** A series with its metric. */
interface Row {
  /** Name in the Endpoint column. */
  readonly endpoint: string;
  /** Metric name. */
  readonly name: string;
  readonly metric: Metric;
  readonly series: Metric['series'][number];
  readonly labels: Readonly<Record<string, string>>;
  readonly targetLabels: Readonly<Record<string, string>>;
}

/**
 * Returns the text of server_metrics_export.csv, with the sections gauge, counter, histogram, unknown and
 * info, separated by one empty line. Empty sections are omitted. `_info` gauges are only in the info section,
 * which has one row per label. Labels of targets are in columns such as `target:pod`, except in the info section. Numbers have the same digits as in the JSON export. Text from servers is
 * escaped; see `escapeCell`.
 *
 * The `aiperf` layout has leading comments, CRLF, four decimals, unescaped text and no columns for increases.
 */
export function writeServerMetricsCsv(document: ServerMetricsDocument, options: CsvOptions = {}): string {
  return [...streamServerMetricsCsv(document, options)].join('');
}

/** Number of decimals in AIPerf's files. */
const AIPERF_DECIMALS = 4;

/** Yields the text of `writeServerMetricsCsv` in chunks, for documents that are too large for one string. */
export function* streamServerMetricsCsv(
  document: ServerMetricsDocument,
  options: CsvOptions = {},
): Generator<string> {
  const layout = resolveCsvLayout(options, AIPERF_DECIMALS);
  const rows = listRows(document);
  if (layout.isAiperf) yield formatComments(document);
  let separator = '';
  for (const section of CSV_SECTIONS) {
    const sectionRows = rows.filter(row => row.metric.type === section && !isInfo(row));
    if (sectionRows.length === 0) continue;
    yield separator;
    yield* streamSection(section, sectionRows, layout);
    separator = layout.lineEnd;
  }
  const info = rows
    .filter(isInfo)
    .sort(compareNameAndEndpoint)
    .flatMap(row => formatInfoRows(row, layout));
  if (info.length > 0) yield separator + formatCsv([INFO_COLUMNS, ...info], layout);
}

/** Formats the leading comments of AIPerf's file, which end with LF. */
function formatComments({ schema_version, aiperf_version, benchmark_id }: ServerMetricsDocument): string {
  const fields = [
    ['aiperf_version', aiperf_version],
    ['schema_version', schema_version],
    ['benchmark_id', benchmark_id],
  ].filter(([, value]) => typeof value === 'string');
  return [
    '# AIPerf Server Metrics Export (CSV)',
    ...fields.map(([name, value]) => `# ${name}: ${String(value).replace(/[\r\n]+/g, ' ')}`),
    '# Note: Same benchmark_id and version appear in JSON and Parquet exports',
    '#',
    '',
  ].join('\n');
}

function listRows(document: ServerMetricsDocument): Row[] {
  const metrics = Object.entries(document.metrics);
  const infos: Readonly<Record<string, EndpointInfo | undefined>> = document.summary?.endpoint_info ?? {};
  const urls = new Set(metrics.flatMap(([, metric]) => metric.series.map(series => series.endpoint_url)));
  const endpoints = nameEndpoints([...urls]);
  return metrics.flatMap(([name, metric]) =>
    metric.series.map(series => ({
      endpoint: endpoints.get(series.endpoint_url)!,
      name,
      metric,
      series,
      labels: series.labels ?? {},
      targetLabels: infos[series.endpoint_url]?.labels ?? {},
    })),
  );
}

function isInfo(row: Row): boolean {
  return row.metric.type === 'gauge' && row.name.endsWith('_info');
}

function formatInfoRows(row: Row, layout: CsvLayout): string[][] {
  const keys = Object.keys(row.labels).sort();
  return keys.map(key =>
    [row.endpoint, row.name, key, row.labels[key]!, row.metric.description].map(layout.text),
  );
}

/** Number of rows per chunk. */
const CHUNK_ROWS = 1000;

function* streamSection(section: CsvSection, rows: readonly Row[], layout: CsvLayout): Generator<string> {
  const labels = orderLabels(rows.map(row => Object.keys(row.labels)));
  const targetLabels = layout.isAiperf ? [] : listTargetLabels(rows);
  const stats = listColumns(section, rows, layout);
  const header = [
    ...LEAD_COLUMNS,
    ...stats,
    ...labels.map(label => layout.text(toLabelColumn(label, section))),
    ...targetLabels.map(label => layout.text(toTargetColumn(label))),
    'Description',
    ...(section === 'histogram' ? ['buckets'] : []),
  ];
  yield formatCsv([header], layout);
  const ordered = sortRows(rows, labels);
  for (let from = 0; from < ordered.length; from += CHUNK_ROWS) {
    const chunk = ordered.slice(from, from + CHUNK_ROWS);
    yield formatCsv(
      chunk.map(row => formatRow(section, row, stats, { labels, targetLabels }, layout)),
      layout,
    );
  }
}

/** Lists the labels of the targets of rows, in alphabetical order. */
function listTargetLabels(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap(row => Object.keys(row.targetLabels)))].sort();
}

function listColumns(section: CsvSection, rows: readonly Row[], { isAiperf }: CsvLayout): readonly string[] {
  if (isAiperf) return STAT_COLUMNS[section];
  const used = INCREASE_COLUMNS[section].filter(column =>
    rows.some(({ series }) => getStat({ ...series.stats }, column) !== undefined),
  );
  return [...STAT_COLUMNS[section], ...used];
}

function formatRow(
  section: CsvSection,
  row: Row,
  stats: readonly string[],
  { labels, targetLabels }: { readonly labels: readonly string[]; readonly targetLabels: readonly string[] },
  layout: CsvLayout,
): (string | undefined)[] {
  const texts = [row.endpoint, section, row.name, row.metric.unit ?? ''].map(layout.text);
  const formatLabel = (values: Row['labels'], label: string): string =>
    Object.hasOwn(values, label) ? layout.text(values[label]!) : '';
  const buckets = 'buckets' in row.series ? formatBuckets(row.series.buckets, layout) : '';
  return [
    ...texts,
    ...stats.map(stat => formatStat(row.series.stats, stat, layout)),
    ...labels.map(label => formatLabel(row.labels, label)),
    ...targetLabels.map(label => formatLabel(row.targetLabels, label)),
    layout.text(row.metric.description),
    ...(section === 'histogram' ? [buckets] : []),
  ];
}

/** Statistics that are integers; all others are floats. */
const INTEGER_STATS = new Set(['count', 'resets', 'decreases', 'increase_count']);

function formatStat(stats: object, stat: string, layout: CsvLayout): string {
  const value = getStat(stats as Record<string, unknown>, stat);
  if (value === true) return 'true';
  if (stat === 'increase_buckets') return formatBuckets(value as Buckets | undefined, layout);
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  return INTEGER_STATS.has(stat) ? String(value) : layout.float(value);
}

/** Returns a statistic. The `increase` of a histogram is an object, with one column per member (`increase_*`). */
function getStat(stats: Record<string, unknown>, stat: string): unknown {
  const { increase } = stats;
  if (typeof increase !== 'object' || increase === null || !stat.startsWith('increase_')) return stats[stat];
  return (increase as Record<string, unknown>)[stat.slice('increase_'.length)];
}

function formatBuckets(buckets: Buckets | undefined, layout: CsvLayout): string {
  if (!buckets) return '';
  const cell = sortNumericKeys(buckets).map(le => `${le}=${buckets[le]}`);
  // Escaped, because a negative bound at the start would look like a formula.
  return layout.text(cell.join(';'));
}

/** Groups rows that have the same label names, and sorts each group by metric, endpoint and label values. */
function sortRows(rows: readonly Row[], labels: readonly string[]): Row[] {
  const rowsWithKeys = rows.map(row => ({
    row,
    presence: labels.map(label => Number(Object.hasOwn(row.labels, label))).join(''),
    values: JSON.stringify(labels.map(label => (Object.hasOwn(row.labels, label) ? row.labels[label] : ''))),
  }));
  rowsWithKeys.sort(
    (a, b) =>
      compare(a.presence, b.presence) || compareNameAndEndpoint(a.row, b.row) || compare(a.values, b.values),
  );
  return rowsWithKeys.map(({ row }) => row);
}

function compareNameAndEndpoint(a: Row, b: Row): number {
  return compare(a.name, b.name) || compare(a.endpoint, b.endpoint);
}

/** Compares two strings by UTF-16 code units. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
