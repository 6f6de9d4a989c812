import { formatParameter, formatVariationName, LATENCIES, type RunSet, THROUGHPUTS } from '@org/analysis';
import type { ServerSweepMetric, SweepMetric, SweepVariation } from '@org/formats';
import { selectColumns } from './screen.ts';

/** A metric of a variation: its mean, and half the confidence interval if it was repeated. */
export interface PageFigure {
  readonly mean: number;
  readonly half: number | null;
}

/** A metric that can be shown, with its unit. */
export interface PageAxis {
  readonly metric: string;
  readonly name: string;
  readonly short: string;
  readonly unit: string;
}

export interface PageVariation {
  readonly name: string;
  /** Parameters as text. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly runs: number | null;
  readonly figures: Readonly<Record<string, PageFigure>>;
}

/** A metric of a server or, without variations, of the client: one value per column. */
export interface PageRow {
  readonly name: string;
  readonly labels: string;
  readonly stat: string;
  readonly unit: string;
  readonly values: readonly (PageFigure | null)[];
}

/** The data of the page of a sweep or of repeated runs. */
export interface RunSetDocument {
  readonly kind: 'several';
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly notes: readonly string[];
  /** Absent for repeated runs of one benchmark. */
  readonly sweep?: {
    readonly throughputs: readonly PageAxis[];
    readonly latencies: readonly PageAxis[];
    readonly columns: readonly PageAxis[];
    readonly variations: readonly PageVariation[];
  };
  /** The names of the columns of `client` and `servers`. */
  readonly columns: readonly string[];
  readonly client: readonly PageRow[];
  readonly servers: readonly PageRow[];
}

/** The server statistics on the page; the file contains more. */
const SERVER_STATS: ReadonlySet<string> = new Set([
  'avg',
  'max',
  'total',
  'rate',
  'count',
  'p50_estimate',
  'p99_estimate',
]);

/** Builds the page of several runs. */
export function buildRunSetDocument(several: RunSet): RunSetDocument {
  return several.kind === 'sweep' ? buildSweepDocument(several) : buildRepeatedDocument(several);
}

function buildSweepDocument({ name, sweep }: RunSet & { kind: 'sweep' }): RunSetDocument {
  const variations = sweep.per_combination_metrics;
  const { metadata } = sweep;
  return {
    kind: 'several',
    title: name,
    facts: [
      ...metadata.sweep_parameters.map(parameter => ({
        name: parameter.name,
        text: parameter.values.map(formatParameter).join(', '),
      })),
      { name: 'Runs', text: `${sweep.num_successful_runs} of ${sweep.num_profile_runs}` },
      ...describeConfidence(metadata.confidence_level, variations.some(isRepeated)),
      ...(metadata.sweep_id === undefined ? [] : [{ name: 'Sweep', text: metadata.sweep_id }]),
    ],
    notes: [...describeInterruption(metadata.was_cancelled), ...describeFailures(sweep.failed_runs ?? [])],
    sweep: {
      throughputs: selectAxes(variations, THROUGHPUTS),
      latencies: selectAxes(variations, LATENCIES),
      columns: selectAxes(variations, selectColumns(variations)),
      variations: variations.map(toPageVariation),
    },
    columns: variations.map(formatVariationName),
    client: buildClientRows(variations.map(({ metrics }) => metrics)),
    servers: buildServerRows(variations.map(variation => variation.server_metrics ?? {})),
  };
}

function buildRepeatedDocument({ name, aggregate }: RunSet & { kind: 'repeated' }): RunSetDocument {
  const { metadata } = aggregate;
  return {
    kind: 'several',
    title: name,
    facts: [
      { name: 'Runs', text: `${metadata.num_successful_runs} of ${metadata.num_profile_runs}` },
      ...describeConfidence(metadata.confidence_level, true),
    ],
    notes: [...describeInterruption(metadata.was_cancelled), ...describeFailures(metadata.failed_runs)],
    columns: ['mean of the runs'],
    client: buildClientRows([aggregate.metrics]),
    servers: buildServerRows([aggregate.server_metrics ?? {}]),
  };
}

function describeConfidence(level: number | undefined, isRepeated: boolean): RunSetDocument['facts'] {
  if (level === undefined || !isRepeated) return [];
  return [
    {
      name: '±',
      text: `half of the ${Number((100 * level).toPrecision(3))}% confidence interval of the mean`,
    },
  ];
}

function describeInterruption(wasCancelled: boolean | undefined): string[] {
  return wasCancelled ? ['Interrupted; the values cover the completed runs.'] : [];
}

function describeFailures(
  failed: readonly { readonly label: string; readonly error?: string | null }[],
): string[] {
  return failed.map(({ label, error }) => `Left out: ${label}: ${error ?? 'failed'}`);
}

function isRepeated({ metrics }: SweepVariation): boolean {
  return Object.values(metrics).some(({ se }) => se !== undefined);
}

/** Selects the axes that any variation has a value for. */
function selectAxes(
  variations: readonly SweepVariation[],
  axes: readonly Pick<PageAxis, 'metric' | 'name' | 'short'>[],
): PageAxis[] {
  return axes.flatMap(axis => {
    const unit = variations
      .map(({ metrics }) => metrics[axis.metric]?.unit)
      .find(known => known !== undefined);
    return unit === undefined ? [] : [{ ...axis, unit }];
  });
}

function toPageVariation(variation: SweepVariation): PageVariation {
  const shown = [...THROUGHPUTS, ...LATENCIES].flatMap(({ metric }) => {
    const block = variation.metrics[metric];
    return block ? [[metric, toPageFigure(block)] as const] : [];
  });
  return {
    name: formatVariationName(variation),
    parameters: Object.fromEntries(
      Object.entries(variation.parameters).map(([name, value]) => [name, formatParameter(value)]),
    ),
    runs: variation.num_successful_runs ?? null,
    figures: Object.fromEntries(shown),
  };
}

function toPageFigure({ mean, se, t_critical: t }: SweepMetric): PageFigure {
  return { mean, half: se === undefined || t === undefined ? null : se * t };
}

function buildClientRows(columns: readonly Readonly<Record<string, SweepMetric>>[]): PageRow[] {
  const names = new Set(columns.flatMap(metrics => Object.keys(metrics)));
  return [...names].map(full => {
    const [, name = full, stat = ''] = /^(.+)_([^_]+)$/.exec(full) ?? [];
    return buildRow(
      { name, labels: '', stat },
      columns.map(metrics => metrics[full]),
    );
  });
}

function buildServerRows(columns: readonly Readonly<Record<string, ServerSweepMetric>>[]): PageRow[] {
  const places = new Map<string, Pick<PageRow, 'name' | 'labels' | 'stat'>>();
  const cells = columns.map(metrics => {
    const blocks = new Map<string, SweepMetric>();
    for (const [name, { series }] of Object.entries(metrics))
      for (const { endpoint_url: url, labels, stats } of series)
        for (const [stat, block] of Object.entries(stats)) {
          if (!SERVER_STATS.has(stat)) continue;
          const text = [
            url,
            ...Object.entries(labels ?? {}).map(([key, value]) => `${key}=${JSON.stringify(value)}`),
          ];
          const place = { name, labels: text.join(' '), stat };
          const key = JSON.stringify(Object.values(place));
          places.set(key, place);
          blocks.set(key, block);
        }
    return blocks;
  });
  return [...places].map(([key, place]) =>
    buildRow(
      place,
      cells.map(blocks => blocks.get(key)),
    ),
  );
}

function buildRow(
  place: Pick<PageRow, 'name' | 'labels' | 'stat'>,
  blocks: readonly (SweepMetric | undefined)[],
): PageRow {
  const unit = blocks.find(block => block !== undefined)?.unit ?? '';
  return { ...place, unit, values: blocks.map(block => (block ? toPageFigure(block) : null)) };
}
