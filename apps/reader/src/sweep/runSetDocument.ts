import {
  computeHalfWidth,
  describeSearch,
  formatParameter,
  formatVariationName,
  type RunSet,
} from '@org/analysis';
import { formatCount } from '@org/core';
import type {
  ProfileAggregate,
  ProfileSweep,
  ServerSweepMetric,
  SweepMetric,
  SweepVariation,
} from '@org/formats';
import type { Fact } from '../html/factList.ts';
import type { ComparisonTable } from '../report/document.ts';
import { countFailures, describeFailedRequests } from './failures.ts';
import { formatParameterName } from './model/format.ts';
import type { SweepData } from './model/sweepData.ts';

/** A statistic of a client or server metric, with one value per column of the table. */
export interface MetricRow {
  readonly name: string;
  readonly labels: string;
  readonly stat: string;
  readonly unit: string;
  /** The mean and half the width of its interval, which is null without one. */
  readonly values: readonly (readonly [mean: number, half: number | null] | null)[];
}

/** The data of the page of a sweep or of repeated runs. */
export interface RunSetDocument {
  readonly kind: 'runSet';
  readonly title: string;
  /** The load and the number of runs in words. */
  readonly subtitle: string;
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
  readonly data: SweepData;
  /** The comparison with a baseline. */
  readonly comparison?: ComparisonTable;
  /** Titles of the value columns of `client` and `servers`. */
  readonly columns: readonly string[];
  readonly client: readonly MetricRow[];
  readonly servers: readonly MetricRow[];
  /** The number of rows that the page does not contain. */
  readonly more: number;
}

/** The server statistics to show on the page. The aggregate and sweep files contain more statistics. */
const SERVER_STATS: ReadonlySet<string> = new Set([
  'avg',
  'max',
  'total',
  'rate',
  'count',
  'p50_estimate',
  'p99_estimate',
]);

/** The maximum number of values in tables. The exports contain all values. */
const MAX_VALUES = 20_000;

/** Builds the data of the page of a sweep or of repeated runs. */
export function buildRunSetDocument(runSet: RunSet, data: SweepData): RunSetDocument {
  return runSet.kind === 'sweep' ? buildSweepDocument(runSet, data) : buildRepeatedDocument(runSet, data);
}

function buildSweepDocument(
  { name, sweep, search, notes = [] }: RunSet & { kind: 'sweep' },
  data: SweepData,
): RunSetDocument {
  const variations = sweep.per_combination_metrics;
  const { metadata } = sweep;
  const result = search && describeSearch(search);
  return {
    kind: 'runSet',
    title: name,
    subtitle: describeSweep(sweep),
    data,
    facts: [
      ...(result ? [{ name: 'Result', text: result.headline }, ...result.facts] : []),
      ...metadata.sweep_parameters.map(parameter => ({
        name: formatParameterName(parameter.name),
        text: parameter.values.map(formatParameter).join(', '),
      })),
      { name: 'Runs', text: `${sweep.num_successful_runs} of ${sweep.num_profile_runs}` },
      ...describeConfidence(metadata.confidence_level, variations.some(isRepeated)),
      ...(metadata.sweep_id === undefined ? [] : [{ name: 'Sweep ID', text: metadata.sweep_id }]),
    ],
    notes:
      notes.length > 0
        ? notes
        : [
            ...(result?.warnings ?? []),
            ...describeInterruption(metadata.was_cancelled),
            ...describeFailures(sweep.failed_runs ?? []),
          ],
    columns: variations.map(formatVariationName),
    ...buildTables(
      variations.map(({ metrics }) => metrics),
      variations.map(variation => variation.server_metrics ?? {}),
    ),
  };
}

/** Builds the rows of both tables, limited so that the page of a large sweep remains small. */
function buildTables(
  client: readonly Readonly<Record<string, SweepMetric>>[],
  servers: readonly Readonly<Record<string, ServerSweepMetric>>[],
): Pick<RunSetDocument, 'client' | 'servers' | 'more'> {
  const max = Math.max(2, Math.floor(MAX_VALUES / Math.max(1, client.length)));
  const serverRows = buildServerRows(servers, Math.floor(max / 2));
  const clientRows = buildClientRows(client, max - serverRows.rows.length);
  return { client: clientRows.rows, servers: serverRows.rows, more: serverRows.more + clientRows.more };
}

/** Values of a parameter are listed up to this number. */
const MAX_LISTED = 12;

function describeSweep({
  metadata,
  num_successful_runs: runs,
  num_profile_runs: total,
}: ProfileSweep): string {
  const parameters = metadata.sweep_parameters.map(({ name, values }) => {
    const texts = values.map(formatParameter);
    return `${formatParameterName(name)} ${texts.length > MAX_LISTED ? `${texts[0]} to ${texts.at(-1)} (${texts.length} values)` : texts.join(', ')}`;
  });
  return [...parameters, `${runs} of ${formatCount(total, 'run')}`].join(' · ');
}

function buildRepeatedDocument(
  { name, aggregate, notes = [] }: RunSet & { kind: 'repeated' },
  data: SweepData,
): RunSetDocument {
  const { metadata } = aggregate;
  return {
    kind: 'runSet',
    title: name,
    subtitle: `${metadata.num_successful_runs} of ${formatCount(metadata.num_profile_runs, 'run')} of one benchmark`,
    data,
    facts: [
      { name: 'Runs', text: `${metadata.num_successful_runs} of ${metadata.num_profile_runs}` },
      ...listFailures(aggregate),
      ...describeConfidence(metadata.confidence_level, true),
    ],
    notes:
      notes.length > 0
        ? notes
        : [...describeInterruption(metadata.was_cancelled), ...describeFailures(metadata.failed_runs)],
    columns: ['mean over all runs'],
    ...buildTables([aggregate.metrics], [aggregate.server_metrics ?? {}]),
  };
}

function listFailures({ metadata, metrics }: ProfileAggregate): RunSetDocument['facts'] {
  const text = describeFailedRequests(countFailures(metadata.requests, metrics));
  return text === undefined ? [] : [{ name: 'Failures', text }];
}

function describeConfidence(level: number | undefined, isRepeated: boolean): RunSetDocument['facts'] {
  if (level === undefined || !isRepeated) return [];
  return [
    {
      name: '±',
      text: `half the width of the ${Number((100 * level).toPrecision(3))}% confidence interval of the mean`,
    },
  ];
}

function describeInterruption(wasCancelled: boolean | undefined): string[] {
  return wasCancelled ? ['The benchmark was interrupted. All values cover the completed runs only.'] : [];
}

function describeFailures(
  failed: readonly { readonly label: string; readonly error?: string | null }[],
): string[] {
  return failed.map(({ label, error }) => `Omitted ${label}: ${error ?? 'the run failed'}`);
}

function isRepeated({ metrics }: SweepVariation): boolean {
  return Object.values(metrics).some(block => computeHalfWidth(block) !== undefined);
}

/** Digits of values in tables, which are more than a table shows. */
const DIGITS = 6;

function createValue(block: SweepMetric): NonNullable<MetricRow['values'][number]> {
  const half = computeHalfWidth(block);
  return [round(block.mean), half === undefined ? null : round(half)];
}

function round(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** The first rows of a table, and the number of the others. */
interface LimitedRows {
  readonly rows: readonly MetricRow[];
  readonly more: number;
}

function buildClientRows(
  columns: readonly Readonly<Record<string, SweepMetric>>[],
  max: number,
): LimitedRows {
  const names = [...new Set(columns.flatMap(metrics => Object.keys(metrics)))];
  const rows = names.slice(0, max).map(key => {
    const [, name = key, stat = ''] = /^(.+)_([^_]+)$/.exec(key) ?? [];
    return buildRow(
      { name, labels: '', stat },
      columns.map(metrics => metrics[key]),
    );
  });
  return { rows, more: names.length - rows.length };
}

function buildServerRows(
  columns: readonly Readonly<Record<string, ServerSweepMetric>>[],
  max: number,
): LimitedRows {
  const rows = new Map<string, { readonly head: RowHead; readonly blocks: (SweepMetric | undefined)[] }>();
  const others = new Set<string>();
  for (const [column, metrics] of columns.entries())
    for (const [name, { series }] of Object.entries(metrics))
      for (const { endpoint_url: url, labels, stats } of series) {
        const labelText = formatLabels(url, labels);
        for (const [stat, block] of Object.entries(stats)) {
          if (!SERVER_STATS.has(stat)) continue;
          const key = `${name} ${stat} ${labelText}`;
          if (!rows.has(key) && rows.size < max)
            rows.set(key, { head: { name, labels: labelText, stat }, blocks: columns.map(() => undefined) });
          const row = rows.get(key);
          if (row) row.blocks[column] = block;
          else others.add(key);
        }
      }
  return { rows: [...rows.values()].map(({ head, blocks }) => buildRow(head, blocks)), more: others.size };
}

function formatLabels(url: string, labels: Readonly<Record<string, string>> | null | undefined): string {
  const texts = Object.entries(labels ?? {}).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return [url, ...texts].join(' ');
}

/** The fields that identify a row. */
type RowHead = Pick<MetricRow, 'name' | 'labels' | 'stat'>;

function buildRow(head: RowHead, blocks: readonly (SweepMetric | undefined)[]): MetricRow {
  const unit = blocks.find(block => block !== undefined)?.unit ?? '';
  return { ...head, unit, values: blocks.map(block => (block ? createValue(block) : null)) };
}
