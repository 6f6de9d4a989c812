import type { ProfileAggregate, ServerAggregateMetric } from '../generated/profileAggregate.ts';
import type { ProfileSweep, ServerSweepMetric, SweepVariation } from '../generated/profileSweep.ts';
import { stringifyJson } from '../json/jsonWriter.ts';
import {
  AGGREGATE_COLUMNS,
  AGGREGATE_HEADER,
  SERVER_AGGREGATE_HEADER,
  SERVER_SWEEP_HEADER,
  SWEEP_COLUMNS,
} from './columns.ts';
import { type CsvLayout, type CsvOptions, formatCsv, resolveCsvLayout } from './layout.ts';

/** Number of decimals in AIPerf's files. */
const AIPERF_DECIMALS = 2;
/** Number of decimals of `AIPERF_PRECISE_COLUMNS`. */
const AIPERF_PRECISE_DECIMALS = 4;
/** Columns with ratios and small values. */
const AIPERF_PRECISE_COLUMNS: ReadonlySet<string> = new Set(['cv', 'se', 't_critical']);

/** The statistics of one metric or server statistic. */
type Statistics = Readonly<Record<string, unknown>>;
type Row = readonly string[];

/**
 * Returns the text of profile_export_aiperf_aggregate.csv: sections with client metrics, metadata and server
 * metrics, separated by empty lines. The `aiperf` layout omits server metrics.
 */
export function writeProfileAggregateCsv(document: ProfileAggregate, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, AIPERF_DECIMALS);
  const metrics = Object.entries(document.metrics).map(([name, block]) => [
    layout.text(name),
    ...AGGREGATE_COLUMNS.map(column => formatCell(block as object as Statistics, column, layout)),
    layout.text(block.unit),
  ]);
  const serverRows = layout.isAiperf
    ? []
    : formatServerRows(document.server_metrics ?? {}, AGGREGATE_COLUMNS, layout);
  const tables = [[AGGREGATE_HEADER, ...metrics], formatMetadataRows(document, layout)];
  if (serverRows.length > 0) tables.push([SERVER_AGGREGATE_HEADER, ...serverRows]);
  return tables.map(rows => formatCsv(rows, layout)).join(layout.lineEnd);
}

function formatMetadataRows({ metadata }: ProfileAggregate, { text }: CsvLayout): Row[] {
  const failed = metadata.failed_runs.map(({ label, error }) => `${label}: ${error ?? 'failed'}`);
  const rows: [string, string | undefined][] = [
    ['Aggregation Type', metadata.aggregation_type],
    ['Total Runs', String(metadata.num_profile_runs)],
    ['Successful Runs', String(metadata.num_successful_runs)],
    ['Failed Runs', failed.join('; ') || undefined],
    ['Confidence Level', metadata.confidence_level?.toString()],
    ['Cooldown Seconds', metadata.cooldown_seconds?.toString()],
    ['Run Labels', metadata.run_labels?.join(' ')],
    ['Was Cancelled', metadata.was_cancelled ? 'true' : undefined],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, text(value)]]));
}

/**
 * Returns the text of profile_export_aiperf_sweep.csv: a section with one row per variation, which contains
 * its parameters and up to four columns per metric, and a section with server metrics, separated by an empty
 * line. Columns that are empty in all variations are omitted. The `aiperf` layout keeps all columns and omits
 * server metrics.
 */
export function writeProfileSweepCsv(document: ProfileSweep, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, AIPERF_DECIMALS);
  const variations = document.per_combination_metrics;
  const parameters = listKeys(variations.map(variation => variation.parameters));
  const columns = listMetricColumns(variations, layout);
  const header = [...parameters, ...columns.map(([metric, column]) => `${metric}_${column}`)];
  const rows = variations.map(({ parameters: values, metrics }) => [
    ...parameters.map(name => layout.text(formatParameter(values[name]))),
    ...columns.map(([metric, column]) => formatCell((metrics[metric] ?? {}) as Statistics, column, layout)),
  ]);
  const tables: Row[][] = [[header.map(layout.text), ...rows]];
  const serverRows = layout.isAiperf
    ? []
    : variations.flatMap(variation => formatSweepServerRows(variation, layout));
  if (serverRows.length > 0) tables.push([SERVER_SWEEP_HEADER, ...serverRows]);
  return tables.map(table => formatCsv(table, layout)).join(layout.lineEnd);
}

function formatSweepServerRows(
  { variation_label, variation_index, server_metrics }: SweepVariation,
  layout: CsvLayout,
): Row[] {
  const label = layout.text(variation_label ?? String(variation_index ?? ''));
  return formatServerRows(server_metrics ?? {}, SWEEP_COLUMNS, layout).map(row => [label, ...row]);
}

/** Lists the columns of all metrics. */
function listMetricColumns(
  variations: readonly SweepVariation[],
  { isAiperf }: CsvLayout,
): [metric: string, column: string][] {
  return listKeys(variations.map(({ metrics }) => metrics)).flatMap(metric =>
    SWEEP_COLUMNS.filter(
      column => isAiperf || variations.some(({ metrics }) => metrics[metric] && column in metrics[metric]),
    ).map(column => [metric, column] as [string, string]),
  );
}

/** Lists the keys of all objects, in order of first occurrence. */
function listKeys(objects: readonly object[]): string[] {
  return [...new Set(objects.flatMap(object => Object.keys(object)))];
}

/** Formats one row per series and statistic. */
function formatServerRows(
  metrics: Readonly<Record<string, ServerAggregateMetric | ServerSweepMetric>>,
  columns: readonly string[],
  layout: CsvLayout,
): Row[] {
  return Object.entries(metrics).flatMap(([name, { type, series }]) =>
    series.flatMap(({ endpoint_url, labels, stats }) =>
      Object.entries(stats).map(([stat, block]) => [
        layout.text(name),
        type,
        layout.text(endpoint_url),
        layout.text(formatLabels(labels ?? {})),
        stat,
        ...columns.map(column => formatCell(block as object as Statistics, column, layout)),
        layout.text(block.unit),
      ]),
    ),
  );
}

/** Formats labels as one cell in the syntax of the exposition format, sorted by name. */
function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
}

function formatParameter(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** Formats a statistic; an absent value is an empty cell. If the mean is 0, `cv` is infinite, which is null in JSON. */
function formatCell(block: Statistics, column: string, layout: CsvLayout): string {
  const value = block[column];
  if (column === 'cv' && value === null) return 'inf';
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  return layout.isAiperf && AIPERF_PRECISE_COLUMNS.has(column)
    ? value.toFixed(AIPERF_PRECISE_DECIMALS)
    : layout.float(value);
}
