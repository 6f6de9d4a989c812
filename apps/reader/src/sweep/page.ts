import { formatParameter, formatVariationName, LATENCIES, type RunSet, THROUGHPUTS } from '@org/analysis';
import type { ServerSweepMetric, SweepMetric, SweepVariation } from '@org/formats';
import { selectColumns } from './screen.ts';

/** One figure of a variation: its mean, and half of its interval where it was repeated. */
export interface PageFigure {
  readonly mean: number;
  readonly half: number | null;
}

/** A figure that can be shown, with its unit. */
export interface PageAxis {
  readonly metric: string;
  readonly name: string;
  readonly short: string;
  readonly unit: string;
}

export interface PageVariation {
  readonly name: string;
  /** The texts of their values. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly runs: number | null;
  readonly figures: Readonly<Record<string, PageFigure>>;
}

/** A figure of a server or, where there are no variations, of the client: one value a column. */
export interface PageRow {
  readonly name: string;
  readonly labels: string;
  readonly stat: string;
  readonly unit: string;
  readonly values: readonly (PageFigure | null)[];
}

/** What the page of a sweep or of repeated runs shows, as data. */
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
  /** Names of the columns of `rows`. */
  readonly columns: readonly string[];
  readonly client: readonly PageRow[];
  readonly servers: readonly PageRow[];
}

/** Statistics of servers in the page; the others are in the file. */
const SERVER_STATS: ReadonlySet<string> = new Set([
  'avg',
  'max',
  'total',
  'rate',
  'count',
  'p50_estimate',
  'p99_estimate',
]);

/** What the page shows of several runs. */
export function buildRunSetDocument(several: RunSet): RunSetDocument {
  return several.kind === 'sweep' ? sweepDocument(several) : repeatedDocument(several);
}

function sweepDocument({ name, sweep }: RunSet & { kind: 'sweep' }): RunSetDocument {
  const variations = sweep.per_combination_metrics;
  const { metadata } = sweep;
  return {
    kind: 'several',
    title: name,
    facts: [
      ...metadata.sweep_parameters.map(one => ({
        name: one.name,
        text: one.values.map(formatParameter).join(', '),
      })),
      { name: 'Runs', text: `${sweep.num_successful_runs} of ${sweep.num_profile_runs}` },
      ...levelFact(metadata.confidence_level, variations.some(isRepeated)),
      ...(metadata.sweep_id === undefined ? [] : [{ name: 'Sweep', text: metadata.sweep_id }]),
    ],
    notes: [...cancelled(metadata.was_cancelled), ...failures(sweep.failed_runs ?? [])],
    sweep: {
      throughputs: axesOf(variations, THROUGHPUTS),
      latencies: axesOf(variations, LATENCIES),
      columns: axesOf(variations, selectColumns(variations)),
      variations: variations.map(pageVariation),
    },
    columns: variations.map(formatVariationName),
    client: clientRows(variations.map(({ metrics }) => metrics)),
    servers: serverRows(variations.map(one => one.server_metrics ?? {})),
  };
}

function repeatedDocument({ name, aggregate }: RunSet & { kind: 'repeated' }): RunSetDocument {
  const { metadata } = aggregate;
  return {
    kind: 'several',
    title: name,
    facts: [
      { name: 'Runs', text: `${metadata.num_successful_runs} of ${metadata.num_profile_runs}` },
      ...levelFact(metadata.confidence_level, true),
    ],
    notes: [...cancelled(metadata.was_cancelled), ...failures(metadata.failed_runs)],
    columns: ['mean of the runs'],
    client: clientRows([aggregate.metrics]),
    servers: serverRows([aggregate.server_metrics ?? {}]),
  };
}

function levelFact(level: number | undefined, isRepeated: boolean): RunSetDocument['facts'] {
  if (level === undefined || !isRepeated) return [];
  return [{ name: '±', text: `half of the ${Number((100 * level).toPrecision(3))}% interval of the mean` }];
}

function cancelled(wasCancelled: boolean | undefined): string[] {
  return wasCancelled ? ['It was interrupted; the figures are those of the runs that were complete.'] : [];
}

function failures(failed: readonly { readonly label: string; readonly error?: string | null }[]): string[] {
  return failed.map(({ label, error }) => `Left out: ${label}: ${error ?? 'failed'}`);
}

function isRepeated({ metrics }: SweepVariation): boolean {
  return Object.values(metrics).some(({ se }) => se !== undefined);
}

/** The axes that any variation has a figure for. */
function axesOf(
  variations: readonly SweepVariation[],
  axes: readonly Pick<PageAxis, 'metric' | 'name' | 'short'>[],
): PageAxis[] {
  return axes.flatMap(axis => {
    const unit = variations.map(({ metrics }) => metrics[axis.metric]?.unit).find(one => one !== undefined);
    return unit === undefined ? [] : [{ ...axis, unit }];
  });
}

function pageVariation(variation: SweepVariation): PageVariation {
  const shown = [...THROUGHPUTS, ...LATENCIES].flatMap(({ metric }) => {
    const block = variation.metrics[metric];
    return block ? [[metric, pageFigure(block)] as const] : [];
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

function pageFigure({ mean, se, t_critical: t }: SweepMetric): PageFigure {
  return { mean, half: se === undefined || t === undefined ? null : se * t };
}

function clientRows(columns: readonly Readonly<Record<string, SweepMetric>>[]): PageRow[] {
  const names = new Set(columns.flatMap(metrics => Object.keys(metrics)));
  return [...names].map(full => {
    const [, name = full, stat = ''] = /^(.+)_([^_]+)$/.exec(full) ?? [];
    return rowOf(
      { name, labels: '', stat },
      columns.map(metrics => metrics[full]),
    );
  });
}

function serverRows(columns: readonly Readonly<Record<string, ServerSweepMetric>>[]): PageRow[] {
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
    rowOf(
      place,
      cells.map(blocks => blocks.get(key)),
    ),
  );
}

function rowOf(
  place: Pick<PageRow, 'name' | 'labels' | 'stat'>,
  blocks: readonly (SweepMetric | undefined)[],
): PageRow {
  const unit = blocks.find(block => block !== undefined)?.unit ?? '';
  return { ...place, unit, values: blocks.map(block => (block ? pageFigure(block) : null)) };
}
