import {
  computeHalfWidth,
  formatParameter,
  formatVariationName,
  LATENCIES,
  type RunSet,
  THROUGHPUTS,
} from '@org/analysis';
import type { ProfileAggregate, ServerSweepMetric, SweepMetric, SweepVariation } from '@org/formats';
import type { ComparisonTable } from '../report/document.ts';
import { countFailures, describeFailedRequests, formatFailures } from './failures.ts';
import { selectColumns } from './screen.ts';

/** The mean of a metric over runs, with its confidence interval. */
export interface Estimate {
  readonly mean: number;
  /** Half the width of the confidence interval; null for a single run. */
  readonly half: number | null;
}

/** A metric that can be selected on the page. */
export interface SelectableMetric {
  readonly metric: string;
  readonly name: string;
  /** Short name for column titles. */
  readonly short: string;
  readonly unit: string;
}

/** A variation of a sweep. */
export interface VariationRow {
  readonly name: string;
  /** Formatted values by parameter name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The number of successful runs; null if the file does not contain it. */
  readonly runs: number | null;
  /** Failed requests of all runs; null if the file does not contain them. */
  readonly failures: { readonly failed: number; readonly text: string } | null;
  /** Throughputs and latencies by metric. */
  readonly estimates: Readonly<Record<string, Estimate>>;
}

/** A statistic of a client or server metric, with one value per column of the table. */
export interface MetricRow {
  readonly name: string;
  readonly labels: string;
  readonly stat: string;
  readonly unit: string;
  readonly values: readonly (Estimate | null)[];
}

/** The data of the page of a sweep or of repeated runs. */
export interface RunSetDocument {
  readonly kind: 'runSet';
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly notes: readonly string[];
  /** Absent for repeated runs of one benchmark. */
  readonly sweep?: {
    readonly throughputs: readonly SelectableMetric[];
    readonly latencies: readonly SelectableMetric[];
    readonly columns: readonly SelectableMetric[];
    readonly variations: readonly VariationRow[];
  };
  /** The comparison with a baseline. */
  readonly comparison?: ComparisonTable;
  /** Titles of the value columns of `client` and `servers`. */
  readonly columns: readonly string[];
  readonly client: readonly MetricRow[];
  readonly servers: readonly MetricRow[];
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

/** Builds the data of the page of a sweep or of repeated runs. */
export function buildRunSetDocument(runSet: RunSet): RunSetDocument {
  return runSet.kind === 'sweep' ? buildSweepDocument(runSet) : buildRepeatedDocument(runSet);
}

function buildSweepDocument({ name, sweep, notes = [] }: RunSet & { kind: 'sweep' }): RunSetDocument {
  const variations = sweep.per_combination_metrics;
  const { metadata } = sweep;
  return {
    kind: 'runSet',
    title: name,
    facts: [
      ...metadata.sweep_parameters.map(parameter => ({
        name: parameter.name,
        text: parameter.values.map(formatParameter).join(', '),
      })),
      { name: 'Runs', text: `${sweep.num_successful_runs} of ${sweep.num_profile_runs}` },
      ...describeConfidence(metadata.confidence_level, variations.some(isRepeated)),
      ...(metadata.sweep_id === undefined ? [] : [{ name: 'Sweep ID', text: metadata.sweep_id }]),
    ],
    notes:
      notes.length > 0
        ? notes
        : [...describeInterruption(metadata.was_cancelled), ...describeFailures(sweep.failed_runs ?? [])],
    sweep: {
      throughputs: selectMetrics(variations, THROUGHPUTS),
      latencies: selectMetrics(variations, LATENCIES),
      columns: selectMetrics(variations, selectColumns(variations)),
      variations: variations.map(createVariationRow),
    },
    columns: variations.map(formatVariationName),
    client: buildClientRows(variations.map(({ metrics }) => metrics)),
    servers: buildServerRows(variations.map(variation => variation.server_metrics ?? {})),
  };
}

function buildRepeatedDocument({
  name,
  aggregate,
  notes = [],
}: RunSet & { kind: 'repeated' }): RunSetDocument {
  const { metadata } = aggregate;
  return {
    kind: 'runSet',
    title: name,
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
    client: buildClientRows([aggregate.metrics]),
    servers: buildServerRows([aggregate.server_metrics ?? {}]),
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

/** Selects the metrics for which at least one variation has a value. */
function selectMetrics(
  variations: readonly SweepVariation[],
  candidates: readonly Pick<SelectableMetric, 'metric' | 'name' | 'short'>[],
): SelectableMetric[] {
  return candidates.flatMap(candidate => {
    const unit = variations
      .map(({ metrics }) => metrics[candidate.metric]?.unit)
      .find(text => text !== undefined);
    return unit === undefined ? [] : [{ ...candidate, unit }];
  });
}

function createVariationRow(variation: SweepVariation): VariationRow {
  const estimates = [...THROUGHPUTS, ...LATENCIES].flatMap(({ metric }) => {
    const block = variation.metrics[metric];
    return block ? [[metric, createEstimate(block)] as const] : [];
  });
  const counts = countFailures(variation.requests, variation.metrics);
  return {
    name: formatVariationName(variation),
    parameters: Object.fromEntries(
      Object.entries(variation.parameters).map(([name, value]) => [name, formatParameter(value)]),
    ),
    runs: variation.num_successful_runs ?? null,
    failures: counts ? { failed: counts.failed, text: formatFailures(counts) } : null,
    estimates: Object.fromEntries(estimates),
  };
}

function createEstimate(block: SweepMetric): Estimate {
  return { mean: block.mean, half: computeHalfWidth(block) ?? null };
}

function buildClientRows(columns: readonly Readonly<Record<string, SweepMetric>>[]): MetricRow[] {
  const names = new Set(columns.flatMap(metrics => Object.keys(metrics)));
  return [...names].map(key => {
    const [, name = key, stat = ''] = /^(.+)_([^_]+)$/.exec(key) ?? [];
    return buildRow(
      { name, labels: '', stat },
      columns.map(metrics => metrics[key]),
    );
  });
}

function buildServerRows(columns: readonly Readonly<Record<string, ServerSweepMetric>>[]): MetricRow[] {
  const heads = new Map<string, RowHead>();
  const cells = columns.map(metrics => {
    const blocks = new Map<string, SweepMetric>();
    for (const [name, { series }] of Object.entries(metrics))
      for (const { endpoint_url: url, labels, stats } of series)
        for (const [stat, block] of Object.entries(stats)) {
          if (!SERVER_STATS.has(stat)) continue;
          const labelTexts = Object.entries(labels ?? {}).map(
            ([label, value]) => `${label}=${JSON.stringify(value)}`,
          );
          const head = { name, labels: [url, ...labelTexts].join(' '), stat };
          const key = JSON.stringify(Object.values(head));
          heads.set(key, head);
          blocks.set(key, block);
        }
    return blocks;
  });
  return [...heads].map(([key, head]) =>
    buildRow(
      head,
      cells.map(blocks => blocks.get(key)),
    ),
  );
}

/** The fields that identify a row. */
type RowHead = Pick<MetricRow, 'name' | 'labels' | 'stat'>;

function buildRow(head: RowHead, blocks: readonly (SweepMetric | undefined)[]): MetricRow {
  const unit = blocks.find(block => block !== undefined)?.unit ?? '';
  return { ...head, unit, values: blocks.map(block => (block ? createEstimate(block) : null)) };
}
