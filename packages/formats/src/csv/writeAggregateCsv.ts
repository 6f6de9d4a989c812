import type { ProfileAggregate, ServerAggregateMetric } from '../generated/profileAggregate.ts';
import type { ProfileSweep, ServerSweepMetric, SweepVariation } from '../generated/profileSweep.ts';
import { stringifyJson } from '../json/jsonWriter.ts';
import {
  AGGREGATE_COLUMNS,
  AGGREGATE_HEADER,
  SERVER_AGGREGATE_HEADER,
  SERVER_SWEEP_HEADER,
  SWEEP_COLUMNS,
} from './aggregateColumns.ts';
import { type CsvLayout, type CsvOptions, formatCsv, resolveCsvLayout } from './layout.ts';

/** AIPerf rounds to hundredths, and what is a ratio or small to four digits. */
const aiperfDecimals = 2;
const aiperfFine = 4;
const fineColumns: ReadonlySet<string> = new Set(['cv', 'se', 't_critical']);

/** The figures of a block, whatever else it has. */
type Figures = Readonly<Record<string, unknown>>;
type Row = readonly string[];

/**
 * profile_export_aiperf_aggregate.csv: a row for each figure; an empty line; rows of the metadata; and when servers were
 * watched an empty line and a row for each figure of theirs, which AIPerf's layout leaves out.
 */
export function writeProfileAggregateCsv(document: ProfileAggregate, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, aiperfDecimals);
  const metrics = Object.entries(document.metrics).map(([name, block]) => [
    layout.text(name),
    ...AGGREGATE_COLUMNS.map(column => cell(block as object as Figures, column, layout)),
    layout.text(block.unit),
  ]);
  const servers = layout.isAiperf ? [] : serverRows(document.server_metrics ?? {}, AGGREGATE_COLUMNS, layout);
  const tables = [[AGGREGATE_HEADER, ...metrics], metadataRows(document, layout)];
  if (servers.length > 0) tables.push([SERVER_AGGREGATE_HEADER, ...servers]);
  return tables.map(rows => formatCsv(rows, layout)).join(layout.lineEnd);
}

function metadataRows({ metadata }: ProfileAggregate, { text }: CsvLayout): Row[] {
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
 * profile_export_aiperf_sweep.csv: a row for each variation, with its parameters and four columns for each metric, of which
 * those are left out that no variation has (AIPerf's layout has them all); and when servers were watched an empty line and a
 * row for each figure of theirs, which AIPerf's layout leaves out.
 */
export function writeProfileSweepCsv(document: ProfileSweep, options: CsvOptions = {}): string {
  const layout = resolveCsvLayout(options, aiperfDecimals);
  const variations = document.per_combination_metrics;
  const parameters = keysOf(variations.map(variation => variation.parameters));
  const columns = metricColumns(variations, layout);
  const header = [...parameters, ...columns.map(([metric, column]) => `${metric}_${column}`)];
  const rows = variations.map(({ parameters: values, metrics }) => [
    ...parameters.map(name => layout.text(parameterText(values[name]))),
    ...columns.map(([metric, column]) => cell((metrics[metric] ?? {}) as Figures, column, layout)),
  ]);
  const tables: Row[][] = [[header.map(layout.text), ...rows]];
  const servers = layout.isAiperf ? [] : variations.flatMap(variation => sweepServerRows(variation, layout));
  if (servers.length > 0) tables.push([SERVER_SWEEP_HEADER, ...servers]);
  return tables.map(table => formatCsv(table, layout)).join(layout.lineEnd);
}

function sweepServerRows(
  { variation_label, variation_index, server_metrics }: SweepVariation,
  layout: CsvLayout,
): Row[] {
  const label = layout.text(variation_label ?? String(variation_index ?? ''));
  return serverRows(server_metrics ?? {}, SWEEP_COLUMNS, layout).map(row => [label, ...row]);
}

function metricColumns(
  variations: readonly SweepVariation[],
  { isAiperf }: CsvLayout,
): [metric: string, column: string][] {
  return keysOf(variations.map(({ metrics }) => metrics)).flatMap(metric =>
    SWEEP_COLUMNS.filter(
      column => isAiperf || variations.some(({ metrics }) => metrics[metric] && column in metrics[metric]),
    ).map(column => [metric, column] as [string, string]),
  );
}

/** Keys of any of the objects, in the order in which they first come. */
function keysOf(objects: readonly object[]): string[] {
  return [...new Set(objects.flatMap(object => Object.keys(object)))];
}

function serverRows(
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
        layout.text(labelsText(labels ?? {})),
        stat,
        ...columns.map(column => cell(block as object as Figures, column, layout)),
        layout.text(block.unit),
      ]),
    ),
  );
}

/** As in the exposition format, sorted by name: one cell for all of them. */
function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
}

function parameterText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** JSON has null where the mean is 0 and the coefficient of variation infinite. */
function cell(block: Figures, column: string, layout: CsvLayout): string {
  const value = block[column];
  if (column === 'cv' && value === null) return 'inf';
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  return layout.isAiperf && fineColumns.has(column) ? value.toFixed(aiperfFine) : layout.float(value);
}
