import type { Buckets, Metric, ServerMetricsDocument } from '../generated/serverMetrics.ts';
import { sortNumericKeys } from '../json/numericKeys.ts';
import {
  CSV_SECTIONS,
  type CsvSection,
  INFO_COLUMNS,
  LEAD_COLUMNS,
  RESET_COLUMNS,
  STAT_COLUMNS,
  toLabelColumn,
} from './columns.ts';
import { nameEndpoints } from './endpointNames.ts';
import { orderLabels } from './labelOrder.ts';
import { type CsvLayout, type CsvOptions, formatCsv, resolveCsvLayout } from './layout.ts';

/** A series with what its row needs of its metric. */
interface Row {
  readonly endpoint: string;
  readonly name: string;
  readonly metric: Metric;
  readonly series: Metric['series'][number];
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * server_metrics_export.csv (seed 002): sections gauge, counter, histogram, unknown and info, the empty ones
 * left out, with exactly one empty line between two; LF line ends, no comments. `_info` gauges stand in the
 * info section only, one row a label. Numbers have the digits that they have in the JSON export, all of them.
 * Texts from servers are made harmless for spreadsheets and hold no line break (see csv-cell).
 *
 * In AIPerf's layout: a block of comments in front, CRLF, four decimals, texts as the servers said them, and nothing of resets.
 */
export function writeServerMetricsCsv(document: ServerMetricsDocument, options: CsvOptions = {}): string {
  return [...streamServerMetricsCsv(document, options)].join('');
}

/** AIPerf rounds to four decimals. */
const aiperfDecimals = 4;

/** The same text in pieces, for documents that should not be held as one string. */
export function* streamServerMetricsCsv(
  document: ServerMetricsDocument,
  options: CsvOptions = {},
): Generator<string> {
  const layout = resolveCsvLayout(options, aiperfDecimals);
  const rows = rowsOf(document);
  if (layout.isAiperf) yield comments(document);
  let separator = '';
  for (const section of CSV_SECTIONS) {
    const of = rows.filter(row => row.metric.type === section && !isInfo(row));
    if (of.length === 0) continue;
    yield separator;
    yield* sectionTexts(section, of, layout);
    separator = layout.lineEnd;
  }
  const info = rows
    .filter(isInfo)
    .sort(byNameAndEndpoint)
    .flatMap(row => infoCells(row, layout));
  if (info.length > 0) yield separator + formatCsv([INFO_COLUMNS, ...info], layout);
}

/** What AIPerf's file begins with; its lines end with LF. */
function comments({ schema_version, aiperf_version, benchmark_id }: ServerMetricsDocument): string {
  const known = [
    ['aiperf_version', aiperf_version],
    ['schema_version', schema_version],
    ['benchmark_id', benchmark_id],
  ].filter(([, value]) => typeof value === 'string');
  return [
    '# AIPerf Server Metrics Export (CSV)',
    ...known.map(([name, value]) => `# ${name}: ${String(value).replace(/[\r\n]+/g, ' ')}`),
    '# Note: Same benchmark_id and version appear in JSON and Parquet exports',
    '#',
    '',
  ].join('\n');
}

function rowsOf(document: ServerMetricsDocument): Row[] {
  const all = Object.entries(document.metrics);
  const urls = new Set(all.flatMap(([, metric]) => metric.series.map(series => series.endpoint_url)));
  const endpoints = nameEndpoints([...urls]);
  return all.flatMap(([name, metric]) =>
    metric.series.map(series => ({
      endpoint: endpoints.get(series.endpoint_url)!,
      name,
      metric,
      series,
      labels: series.labels ?? {},
    })),
  );
}

function isInfo(row: Row): boolean {
  return row.metric.type === 'gauge' && row.name.endsWith('_info');
}

function infoCells(row: Row, layout: CsvLayout): string[][] {
  const keys = Object.keys(row.labels).sort();
  return keys.map(key =>
    [row.endpoint, row.name, key, row.labels[key]!, row.metric.description].map(layout.text),
  );
}

/** Rows that are made to text at a time. */
const rowsAtOnce = 1000;

function* sectionTexts(section: CsvSection, rows: readonly Row[], layout: CsvLayout): Generator<string> {
  const labels = orderLabels(rows.map(row => Object.keys(row.labels)));
  const stats = columnsOf(section, rows, layout);
  const header = [
    ...LEAD_COLUMNS,
    ...stats,
    ...labels.map(label => layout.text(toLabelColumn(label, section))),
    'Description',
    ...(section === 'histogram' ? ['buckets'] : []),
  ];
  yield formatCsv([header], layout);
  const ordered = inOrder(rows, labels);
  for (let from = 0; from < ordered.length; from += rowsAtOnce) {
    const some = ordered.slice(from, from + rowsAtOnce);
    yield formatCsv(
      some.map(row => cells(section, row, stats, labels, layout)),
      layout,
    );
  }
}

function columnsOf(section: CsvSection, rows: readonly Row[], { isAiperf }: CsvLayout): readonly string[] {
  const wasReset = !isAiperf && rows.some(row => 'resets' in row.series.stats);
  return wasReset ? [...STAT_COLUMNS[section], ...RESET_COLUMNS[section]] : STAT_COLUMNS[section];
}

function cells(
  section: CsvSection,
  row: Row,
  stats: readonly string[],
  labels: readonly string[],
  layout: CsvLayout,
): (string | undefined)[] {
  const texts = [row.endpoint, section, row.name, row.metric.unit ?? ''].map(layout.text);
  const values = labels.map(label =>
    Object.hasOwn(row.labels, label) ? layout.text(row.labels[label]!) : '',
  );
  const buckets = 'buckets' in row.series ? bucketsCell(row.series.buckets, layout) : '';
  return [
    ...texts,
    ...stats.map(stat => statCell(row.series.stats, stat, layout)),
    ...values,
    layout.text(row.metric.description),
    ...(section === 'histogram' ? [buckets] : []),
  ];
}

/** Counts are integers, everything else is a float. */
const integerStats = new Set(['count', 'resets', 'increase_count']);

function statCell(stats: object, stat: string, layout: CsvLayout): string {
  const value = statOf(stats as Record<string, unknown>, stat);
  if (stat === 'increase_buckets') return bucketsCell(value as Buckets | undefined, layout);
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  return integerStats.has(stat) ? String(value) : layout.float(value);
}

/** A counter's `increase` is a number; a histogram's is a block, spread over `increase_*`. */
function statOf(stats: Record<string, unknown>, stat: string): unknown {
  if (!stat.startsWith('increase_')) return stats[stat];
  return (stats.increase as Record<string, unknown> | undefined)?.[stat.slice('increase_'.length)];
}

function bucketsCell(buckets: Buckets | undefined, layout: CsvLayout): string {
  if (!buckets) return '';
  const cell = sortNumericKeys(buckets).map(le => `${le}=${buckets[le]}`);
  // A negative bound would begin the cell like a formula.
  return layout.text(cell.join(';'));
}

/** Rows with the same filled label columns together, then by metric, endpoint and labels. */
function inOrder(rows: readonly Row[], labels: readonly string[]): Row[] {
  const keyed = rows.map(row => ({
    row,
    filled: labels.map(label => Number(Object.hasOwn(row.labels, label))).join(''),
    values: JSON.stringify(labels.map(label => (Object.hasOwn(row.labels, label) ? row.labels[label] : ''))),
  }));
  keyed.sort(
    (a, b) => compare(a.filled, b.filled) || byNameAndEndpoint(a.row, b.row) || compare(a.values, b.values),
  );
  return keyed.map(({ row }) => row);
}

function byNameAndEndpoint(a: Row, b: Row): number {
  return compare(a.name, b.name) || compare(a.endpoint, b.endpoint);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
