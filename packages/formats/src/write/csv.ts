import { stringify } from 'csv-stringify/sync';
import { numericKeys } from '../bound.ts';
import { textCell } from '../csv-cell.ts';
import {
  type CsvSection,
  csvSections,
  infoColumns,
  labelColumn,
  leadColumns,
  resetColumns,
  statColumns,
} from '../csv-columns.ts';
import type { Buckets, Metric, ServerMetricsDocument } from '../generated/server-metrics.ts';
import { endpointNames } from './endpoint-name.ts';
import { labelOrder } from './label-order.ts';
import { floatText } from './number.ts';

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
 */
export function serverMetricsCsv(document: ServerMetricsDocument): string {
  return [...serverMetricsCsvChunks(document)].join('');
}

/** The same text in pieces, for documents that should not be held as one string. */
export function* serverMetricsCsvChunks(document: ServerMetricsDocument): Generator<string> {
  const rows = rowsOf(document);
  let separator = '';
  for (const section of csvSections) {
    const of = rows.filter(row => row.metric.type === section && !isInfo(row));
    if (of.length === 0) continue;
    yield separator;
    yield* sectionTexts(section, of);
    separator = '\n';
  }
  const info = rows.filter(isInfo).sort(byNameAndEndpoint).flatMap(infoCells);
  if (info.length > 0) yield separator + csvText([infoColumns, ...info]);
}

function rowsOf(document: ServerMetricsDocument): Row[] {
  const all = Object.entries(document.metrics);
  const urls = new Set(all.flatMap(([, metric]) => metric.series.map(series => series.endpoint_url)));
  const endpoints = endpointNames([...urls]);
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

function infoCells(row: Row): string[][] {
  const keys = Object.keys(row.labels).sort();
  return keys.map(key =>
    [row.endpoint, row.name, key, row.labels[key]!, row.metric.description].map(textCell),
  );
}

/** Rows that are made to text at a time. */
const rowsAtOnce = 1000;

function* sectionTexts(section: CsvSection, rows: readonly Row[]): Generator<string> {
  const labels = labelOrder(rows.map(row => Object.keys(row.labels)));
  const stats = columnsOf(section, rows);
  const header = [
    ...leadColumns,
    ...stats,
    ...labels.map(label => textCell(labelColumn(label, section))),
    'Description',
    ...(section === 'histogram' ? ['buckets'] : []),
  ];
  yield csvText([header]);
  const ordered = inOrder(rows, labels);
  for (let from = 0; from < ordered.length; from += rowsAtOnce) {
    const some = ordered.slice(from, from + rowsAtOnce);
    yield csvText(some.map(row => cells(section, row, stats, labels)));
  }
}

function columnsOf(section: CsvSection, rows: readonly Row[]): readonly string[] {
  const wasReset = rows.some(row => 'resets' in row.series.stats);
  return wasReset ? [...statColumns[section], ...resetColumns[section]] : statColumns[section];
}

function cells(
  section: CsvSection,
  row: Row,
  stats: readonly string[],
  labels: readonly string[],
): (string | undefined)[] {
  const texts = [row.endpoint, section, row.name, row.metric.unit ?? ''].map(textCell);
  const values = labels.map(label => (Object.hasOwn(row.labels, label) ? textCell(row.labels[label]!) : ''));
  const buckets = 'buckets' in row.series ? bucketsCell(row.series.buckets) : '';
  return [
    ...texts,
    ...stats.map(stat => statCell(row.series.stats, stat)),
    ...values,
    textCell(row.metric.description),
    ...(section === 'histogram' ? [buckets] : []),
  ];
}

/** Counts are integers, everything else is a float. */
const integerStats = new Set(['count', 'resets', 'increase_count']);

function statCell(stats: object, stat: string): string {
  const value = statOf(stats as Record<string, unknown>, stat);
  if (stat === 'increase_buckets') return bucketsCell(value as Buckets | undefined);
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  return integerStats.has(stat) ? String(value) : floatText(value);
}

/** A counter's `increase` is a number; a histogram's is a block, spread over `increase_*`. */
function statOf(stats: Record<string, unknown>, stat: string): unknown {
  if (!stat.startsWith('increase_')) return stats[stat];
  return (stats.increase as Record<string, unknown> | undefined)?.[stat.slice('increase_'.length)];
}

function bucketsCell(buckets: Buckets | undefined): string {
  if (!buckets) return '';
  const cell = numericKeys(buckets).map(le => `${le}=${buckets[le]}`);
  // A negative bound would begin the cell like a formula.
  return textCell(cell.join(';'));
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

function csvText(rows: readonly (readonly (string | undefined)[])[]): string {
  return stringify(rows as string[][], { record_delimiter: '\n' });
}
