import type { HistogramView, MetricView } from '@org/formats/read';

/** The types of the exports, and `client` for what the load generator measured at its end. */
export type SeriesType = MetricView['type'] | 'client';

/** One window of a run, with the figures that the type of its series has. */
export interface RunSlice {
  readonly start_ns: bigint;
  readonly end_ns: bigint;
  /** False for one that the end of the run has cut short. */
  readonly is_complete?: boolean;
  readonly avg?: number;
  readonly min?: number;
  readonly max?: number;
  readonly total?: number;
  readonly rate?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly buckets?: Buckets | null;
}

/** Cumulative counts (<= bound) by bound, as the server printed it. */
export type Buckets = Readonly<Record<string, number>>;

/** Statistics by name (`avg`, `p99`, `total`, `rate`, `p99_estimate`, ...), as the export has them. */
export type Stats = Readonly<Record<string, number | undefined>>;

type Bounds = NonNullable<HistogramView['percentile_bounds']>;

/** One series of a run, whatever file it came from. */
export interface RunSeries {
  /** Name of its family. */
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly endpointUrl: string;
  /** Short name of the endpoint, which no other endpoint of the run has; `client` for the load generator. */
  readonly endpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly stats: Stats;
  /** The reset-corrected figures of a histogram that began again within the run. */
  readonly increase?: Stats | undefined;
  /** In order of time; empty when the run was exported without slices. */
  readonly slices: readonly RunSlice[];
  /** Null after a reset; absent for other types. */
  readonly buckets?: Buckets | null | undefined;
  /** By percentile (`p99`): between which values it certainly lies. */
  readonly bounds?: Readonly<Record<string, Bounds['p99']>> | undefined;
  /** By percentile: why its estimate is to be read with care. */
  readonly doubts?: Readonly<Record<string, 'above-last-bound' | 'wide' | undefined>> | undefined;
}

/** One family: all series of a name. */
export interface RunFamily {
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly description: string;
  readonly series: readonly RunSeries[];
}

/** The family of a metric of a document. `endpoints` gives short names by URL. */
export function createFamily(
  name: string,
  metric: MetricView,
  endpoints: ReadonlyMap<string, string>,
): RunFamily {
  const { type, description } = metric;
  return new DocumentFamily(name, type, metric.unit ?? null, description, metric.series, endpoints);
}

/** Makes its series when somebody asks for them: of a hundred thousand, a screen shows a few dozen. */
class DocumentFamily implements RunFamily {
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly description: string;
  readonly #documents: readonly DocumentSeries[];
  readonly #endpoints: ReadonlyMap<string, string>;
  #series: readonly RunSeries[] | undefined;

  constructor(
    name: string,
    type: SeriesType,
    unit: string | null,
    description: string,
    documents: readonly DocumentSeries[],
    endpoints: ReadonlyMap<string, string>,
  ) {
    this.name = name;
    this.type = type;
    this.unit = unit;
    this.description = description;
    this.#documents = documents;
    this.#endpoints = endpoints;
  }

  get series(): readonly RunSeries[] {
    this.#series ??= this.#documents.map(one => this.#seriesOf(one));
    return this.#series;
  }

  #seriesOf(one: DocumentSeries): RunSeries {
    const { timeslices, buckets, percentile_bounds, percentile_doubts } = one as Extras;
    const stats = one.stats as Stats;
    const increase: unknown = stats.increase;
    return {
      name: this.name,
      type: this.type,
      unit: this.unit,
      endpointUrl: one.endpoint_url,
      endpoint: this.#endpoints.get(one.endpoint_url) ?? one.endpoint_url,
      labels: one.labels ?? NO_LABELS,
      stats,
      increase: typeof increase === 'object' && increase !== null ? (increase as Stats) : undefined,
      slices: timeslices ?? NO_SLICES,
      buckets,
      bounds: percentile_bounds,
      doubts: percentile_doubts,
    };
  }
}

const NO_LABELS: RunSeries['labels'] = Object.freeze({});
const NO_SLICES: readonly RunSlice[] = Object.freeze([]);

/** A series as it stands in a document. */
type DocumentSeries = MetricView['series'][number];

/** What a histogram of schema 1.0 has beside those of a view. */
interface Extras {
  readonly timeslices?: readonly RunSlice[];
  readonly buckets?: Buckets | null;
  readonly percentile_bounds?: NonNullable<RunSeries['bounds']>;
  readonly percentile_doubts?: NonNullable<RunSeries['doubts']>;
}

/** A statistic that is there as a number; `increase` of a histogram is a block and no number. */
export function readStat(series: Pick<RunSeries, 'stats'>, stat: string): number | undefined {
  const value: unknown = Object.hasOwn(series.stats, stat) ? series.stats[stat] : undefined;
  // One that no schema knows is read exactly.
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

/** Slices that cover their whole length: one that the end of the run has cut short says too little beside the others. */
export function selectCompleteSlices({ slices }: Pick<RunSeries, 'slices'>): readonly RunSlice[] {
  return slices.length === 0 ? slices : slices.filter(slice => slice.is_complete !== false);
}

/** One figure a slice: the mean of a gauge or histogram, the rate of a counter. */
export function readSliceValue(slice: RunSlice): number {
  return slice.rate ?? slice.avg ?? Number.NaN;
}
