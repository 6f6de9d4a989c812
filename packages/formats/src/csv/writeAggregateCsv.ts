import type { ProfileAggregate, ServerAggregateMetric } from '../generated/profileAggregate.ts';
import type { ProfileSweep, ServerSweepMetric, SweepVariation } from '../generated/profileSweep.ts';
import { formatFloat, stringifyJson } from '../json/jsonWriter.ts';
import { flattenSweepMetrics } from '../json/sweepMetrics.ts';
import {
  AGGREGATE_COLUMNS,
  AGGREGATE_HEADER,
  AIPERF_SWEEP_COLUMNS,
  SERVER_AGGREGATE_HEADER,
  SERVER_SWEEP_HEADER,
  SWEEP_COLUMNS,
  SWEEP_TITLES,
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

function formatMetadataRows({ metadata }: ProfileAggregate, layout: CsvLayout): Row[] {
  const { failed_runs: failedRuns, variation_values: values, single_run: isSingle } = metadata;
  const failed = failedRuns.map(({ label, error }) => `${label}: ${error ?? 'failed'}`);
  const { isAiperf } = layout;
  const rows: [string, string | undefined][] = [
    ['Aggregation Type', metadata.aggregation_type],
    ['Total Runs', String(metadata.num_profile_runs)],
    ['Successful Runs', String(metadata.num_successful_runs)],
    ['Failed Runs', isAiperf ? undefined : failed.join('; ') || undefined],
    ['Confidence Level', metadata.confidence_level?.toString()],
    ['Run Labels', isAiperf ? formatPythonList(metadata.run_labels ?? []) : metadata.run_labels?.join(' ')],
    ['Single Run', isSingle === undefined ? undefined : formatFlag(isSingle, layout)],
    ['Cooldown Seconds', formatSeconds(metadata.cooldown_seconds, layout)],
    ['Was Cancelled', metadata.was_cancelled ? formatFlag(true, layout) : undefined],
    ['Variation Label', metadata.variation_label],
    ['Variation Values', values && (isAiperf ? formatPythonDict(values) : stringifyJson(values))],
    ['Sweep Mode', metadata.sweep_mode],
    ['Model', metadata.model],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, layout.text(value)]]));
}

function formatFlag(value: boolean, { isAiperf }: CsvLayout): string {
  if (isAiperf) return value ? 'True' : 'False';
  return String(value);
}

function formatSeconds(seconds: number | undefined, { isAiperf }: CsvLayout): string | undefined {
  return seconds !== undefined && isAiperf ? formatFloat(seconds) : seconds?.toString();
}

function formatPythonList(items: readonly string[]): string {
  return `[${items.map(item => `'${item}'`).join(', ')}]`;
}

function formatPythonDict(values: Readonly<Record<string, unknown>>): string {
  return `{${Object.entries(values)
    .map(([name, value]) => `'${name}': ${formatParameter(value)}`)
    .join(', ')}}`;
}

/**
 * Returns the text of profile_export_aiperf_sweep.csv: a section with one row per variation, which contains
 * its parameters and several columns per metric, the sections of AIPerf with the best configurations, the Pareto-optimal
 * variations and the metadata, and a section with server metrics, separated by empty lines. Columns that are empty in all
 * variations are omitted. The `aiperf` layout has the columns of AIPerf and omits server metrics.
 */
export function writeProfileSweepCsv(document: ProfileSweep, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, AIPERF_DECIMALS);
  const variations = document.per_combination_metrics;
  const parameters = listKeys(variations.map(variation => variation.parameters));
  const tables = [
    layout.isAiperf
      ? formatAiperfVariations(variations, parameters, layout)
      : formatVariations(variations, parameters, layout),
    ...formatSweepSections(document, parameters, layout),
  ];
  const serverRows = layout.isAiperf
    ? []
    : variations.flatMap(variation => formatSweepServerRows(variation, layout));
  if (serverRows.length > 0) tables.push([SERVER_SWEEP_HEADER, ...serverRows]);
  return tables.map(table => formatCsv(table, layout)).join(layout.lineEnd);
}

/** Formats the variations with AIPerf's columns: all metrics in alphabetical order, with the same statistics each. */
function formatAiperfVariations(
  variations: readonly SweepVariation[],
  parameters: readonly string[],
  layout: CsvLayout,
): Row[] {
  const columns = listKeys(variations.map(({ metrics }) => metrics))
    .sort()
    .flatMap(metric => AIPERF_SWEEP_COLUMNS.map(column => [metric, column] as const));
  // Infinite coefficients of variation are empty cells.
  return formatVariationTable(variations, parameters, columns, layout).map(row =>
    row.map(cell => (cell === 'inf' ? '' : cell)),
  );
}

/** Formats the variations with the columns of each statistic that at least one variation has. */
function formatVariations(
  variations: readonly SweepVariation[],
  parameters: readonly string[],
  layout: CsvLayout,
): Row[] {
  const flat = variations.map(variation => ({
    ...variation,
    metrics: flattenSweepMetrics(variation.metrics),
  }));
  const columns = listKeys(flat.map(({ metrics }) => metrics)).flatMap(metric =>
    SWEEP_COLUMNS.filter(column =>
      flat.some(({ metrics }) => metrics[metric] && column in metrics[metric]),
    ).map(column => [metric, column] as const),
  );
  return formatVariationTable(flat, parameters, columns, layout);
}

function formatVariationTable(
  variations: readonly SweepVariation[],
  parameters: readonly string[],
  columns: readonly (readonly [metric: string, column: string])[],
  layout: CsvLayout,
): Row[] {
  const header = [...parameters, ...columns.map(([metric, column]) => `${metric}_${column}`)];
  const rows = variations.map(({ parameters: values, metrics }) => [
    ...parameters.map(name => layout.text(formatParameter(values[name]))),
    ...columns.map(([metric, column]) => formatCell((metrics[metric] ?? {}) as Statistics, column, layout)),
  ]);
  return [header.map(layout.text), ...rows];
}

/** Formats the sections of AIPerf after the variations. */
function formatSweepSections(
  document: ProfileSweep,
  parameters: readonly string[],
  layout: CsvLayout,
): Row[][] {
  const { best_configurations: best = {}, pareto_optimal: optimal = [], metadata } = document;
  const [bestTitle, optimalTitle, metadataTitle] = SWEEP_TITLES as [string, string, string];
  const names = parameters.map(layout.text);
  const formatValues = (values: Readonly<Record<string, unknown>>): Row =>
    parameters.map(name => layout.text(formatParameter(values[name])));
  const bestRows = Object.entries(best).map(([name, { parameters: values, metric, unit }]) => [
    formatTitle(name),
    ...formatValues(values),
    layout.float(metric),
    layout.text(unit),
  ]);
  return [
    [
      [bestTitle],
      ...(bestRows.length > 0 ? [['Configuration', ...names, 'Metric', 'Unit'], ...bestRows] : []),
    ],
    [[optimalTitle], ...(optimal.length > 0 ? [names, ...optimal.map(formatValues)] : [['None']])],
    [
      [metadataTitle],
      ['Field', 'Value'],
      ['Aggregation Type', document.aggregation_type],
      ['Sweep Parameters', layout.text(parameters.join(', '))],
      ['Number of Combinations', String(metadata.num_combinations)],
      ['Number of Profile Runs', String(document.num_profile_runs)],
      ['Number of Successful Runs', String(document.num_successful_runs)],
    ],
  ];
}

/** Formats a name such as `best_latency_p99` as `Best Latency P99`. */
function formatTitle(name: string): string {
  return name
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function formatSweepServerRows(
  { variation_label, variation_index, server_metrics }: SweepVariation,
  layout: CsvLayout,
): Row[] {
  const label = layout.text(variation_label ?? String(variation_index ?? ''));
  return formatServerRows(server_metrics ?? {}, SWEEP_COLUMNS, layout).map(row => [label, ...row]);
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
