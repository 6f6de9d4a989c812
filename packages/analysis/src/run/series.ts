import type { HistogramView, MetricView } from '@org/formats/read';
import { isGaugeLike, readHistogramIncrease, toPeriodStats } from './increase.ts';
import { RecentSlices } from './recentSlices.ts';
import { correctRateStatistics, type ExportedSlice, toRunSlices } from './slices.ts';
import type { Buckets, RunSlice, Stats } from './statistics.ts';
import { addUpperRates, type StatisticsWindow } from './statisticsWindow.ts';
import type { TargetLabels } from './targetLabels.ts';

export type { Buckets, RunSlice, Stats };

/**
 * The metric types of the exports, `client` for metrics of the load generator, and `derived` for metrics that are computed
 * from others.
 */
export type SeriesType = MetricView['type'] | 'client' | 'derived';

type Bounds = NonNullable<HistogramView['percentile_bounds']>;

/** A series of a run. */
export interface RunSeries {
  /** Name of the family. */
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly endpointUrl: string;
  /** Unique short name of the endpoint; `client` for the load generator. */
  readonly endpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The labels of the target of the endpoint, such as `pod`; absent if it has none. */
  readonly targetLabels?: Readonly<Record<string, string>>;
  /** The statistics of the whole period: across resets, and from the creation of a series; see `toPeriodStats`. */
  readonly stats: Stats;
  /** The increase of a histogram that was reset or created during the run, as exported. */
  readonly increase?: Stats | undefined;
  /** Timeslices in order of time; empty if the run was exported without timeslices. */
  readonly slices: readonly RunSlice[];
  /** The buckets of a histogram, which match `stats`; null if unknown, and absent for other types. */
  readonly buckets?: Buckets | null | undefined;
  /** Guaranteed lower and upper bounds by percentile (`p99`). */
  readonly bounds?: Readonly<Record<string, Bounds['p99']>> | undefined;
}

/** A metric family: all series with one name. */
export interface RunFamily {
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly description: string;
  readonly series: readonly RunSeries[];
}

/** The data of a run that all of its series share. */
export interface FamilyContext {
  /** The short names of endpoints, by URL. */
  readonly endpoints: ReadonlyMap<string, string>;
  readonly targetLabels?: TargetLabels;
  /** Absent if statistics cover the profiling phase. */
  readonly window?: StatisticsWindow | undefined;
  readonly recentSlices?: RecentSlices;
}

/** Creates the family of a metric. */
export function createFamily(name: string, metric: MetricView, context: FamilyContext): RunFamily {
  const { type, description } = metric;
  return new DocumentFamily(name, type, metric.unit ?? null, description, metric.series, context);
}

/** A family whose series are created on first use. Of 100,000 series, a summary shows a few dozen. */
class DocumentFamily implements RunFamily {
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly description: string;
  readonly #documents: readonly DocumentSeries[];
  readonly #context: FamilyContext;
  readonly #recentSlices: RecentSlices;
  #series: readonly RunSeries[] | undefined;

  constructor(
    name: string,
    type: SeriesType,
    unit: string | null,
    description: string,
    documents: readonly DocumentSeries[],
    context: FamilyContext,
  ) {
    this.name = name;
    this.type = type;
    this.unit = unit;
    this.description = description;
    this.#documents = documents;
    this.#context = context;
    this.#recentSlices = context.recentSlices ?? new RecentSlices();
  }

  get series(): readonly RunSeries[] {
    this.#series ??= this.#documents.map(document => this.#createSeries(document));
    return this.#series;
  }

  #createSeries(document: DocumentSeries): RunSeries {
    const { buckets, percentile_bounds } = document as OptionalSeriesFields;
    const increase = readHistogramIncrease(document.stats as Stats);
    const { endpoints, targetLabels, window } = this.#context;
    const recentSlices = this.#recentSlices;
    const target = targetLabels?.get(document.endpoint_url);
    const hasSlices = hasTimeslices(document) && !isGaugeLike(document.stats as Stats);
    let stats: Stats | undefined;
    return {
      name: this.name,
      type: this.type,
      unit: this.unit,
      endpointUrl: document.endpoint_url,
      endpoint: endpoints.get(document.endpoint_url) ?? document.endpoint_url,
      labels: document.labels ?? NO_LABELS,
      ...(target ? { targetLabels: target } : {}),
      get stats() {
        stats ??= readPeriodStats(document, this, window);
        return stats;
      },
      increase,
      get slices() {
        return hasSlices ? recentSlices.get(document, () => readSlices(document)) : NO_SLICES;
      },
      buckets: increase === undefined ? buckets : (increase.buckets ?? null),
      bounds: percentile_bounds,
    };
  }
}

/** Reports whether a series has timeslices, without creating them. */
export function hasTimeslices(document: DocumentSeries): boolean {
  return Object.hasOwn(document, 'timeslices') || Object.hasOwn(document, 'reset_timeslices');
}

function readSlices(document: DocumentSeries): readonly RunSlice[] {
  const { timeslices, reset_timeslices } = document as OptionalSeriesFields;
  return toRunSlices(timeslices, reset_timeslices);
}

/** Computes the statistics of the whole period. Only statistics of rates need the timeslices. */
function readPeriodStats(
  document: DocumentSeries,
  series: Pick<RunSeries, 'slices'>,
  window: StatisticsWindow | undefined,
): Stats {
  const stats = toPeriodStats(document.stats as Stats);
  const corrected = stats.rate_avg === undefined ? stats : correctWhenRead(stats, series);
  return window ? addUpperRates(corrected, window) : corrected;
}

const RATE_STATISTICS = ['rate_avg', 'rate_min', 'rate_max', 'rate_std'] as const;

/** Corrects the statistics of rates when they are read: the correction reads all timeslices, and most readers need no rates. */
function correctWhenRead(stats: Stats, series: Pick<RunSeries, 'slices'>): Stats {
  let corrected: Stats | undefined;
  const lazy = { ...stats };
  for (const name of RATE_STATISTICS)
    if (Object.hasOwn(stats, name))
      Object.defineProperty(lazy, name, {
        enumerable: true,
        configurable: true,
        get() {
          corrected ??= correctRateStatistics(stats, series.slices);
          return corrected[name];
        },
      });
  return lazy;
}

const NO_LABELS: RunSeries['labels'] = Object.freeze({});
const NO_SLICES: readonly RunSlice[] = Object.freeze([]);

/** A series in a document. */
type DocumentSeries = MetricView['series'][number];

/** Fields that only some types of series have. */
interface OptionalSeriesFields {
  readonly timeslices?: readonly ExportedSlice[];
  readonly reset_timeslices?: readonly ExportedSlice[];
  readonly buckets?: Buckets | null;
  readonly percentile_bounds?: NonNullable<RunSeries['bounds']>;
}

/**
 * Reads a numeric statistic. Returns undefined for other values, such as `increase` of a histogram, which is an
 * object.
 */
export function readStat(series: Pick<RunSeries, 'stats'>, stat: string): number | undefined {
  const value: unknown = Object.hasOwn(series.stats, stat) ? series.stats[stat] : undefined;
  // If the schema does not list a statistic, the JSON reader returns its integers as bigints.
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

/** Returns the complete slices. An incomplete last slice is not comparable to the other slices. */
export function selectCompleteSlices({ slices }: Pick<RunSeries, 'slices'>): readonly RunSlice[] {
  return slices.length === 0 ? slices : slices.filter(slice => slice.is_complete !== false);
}

/** Reads the main value of a slice: the mean of a gauge or histogram, or the rate of a counter. */
export function readSliceValue(slice: RunSlice): number {
  return slice.rate ?? slice.avg ?? Number.NaN;
}

/** Units of values whose sum is meaningless. */
const NON_ADDITIVE_UNITS: ReadonlySet<string> = new Set(['ratio', 'percent', 'celsius']);

/** Reports whether values of a unit are averaged instead of added when series are combined. */
export function isNonAdditiveUnit(unit: string | null): boolean {
  return unit !== null && NON_ADDITIVE_UNITS.has(unit);
}

/** Returns the labels of a series, and its endpoint, so that series of different endpoints have different labels. */
export function readSeriesLabels({
  labels,
  endpointUrl,
}: Pick<RunSeries, 'labels' | 'endpointUrl'>): Readonly<Record<string, string>> {
  // No label of a server has an empty name.
  return { ...labels, '': endpointUrl };
}
