import { BoundIndex } from './boundIndex.ts';
import type { Labels } from './labels.ts';
import { SeriesIndex } from './seriesIndex.ts';
import { internLabels, internString } from './stringPool.ts';

/** A Prometheus metric type. `unknown` covers `untyped` and families without a `# TYPE` line. */
export type FamilyType = 'gauge' | 'counter' | 'histogram' | 'summary' | 'unknown';

/** A metric family: all series of one name and type on one endpoint. */
export interface Family {
  /** Name as in prometheus_client: without `_total` for counters. */
  readonly name: string;
  readonly type: FamilyType;
  /** Unescaped HELP text; may be empty. */
  readonly help: string;
  /** Unit from an OpenMetrics `# UNIT` line; not the unit inferred from name and HELP text. */
  readonly declaredUnit?: string;
}

/** The position of a value in the frames of one endpoint. */
export type Slot = number;

/** A series with one value per scrape: a gauge, a counter, or a series of unknown type. */
export interface ScalarSeries {
  readonly kind: 'scalar';
  readonly family: Family;
  readonly labels: Labels;
  readonly value: Slot;
}

/** One cumulative bucket of a histogram. */
export interface Bucket {
  /** The inclusive upper bound; `Infinity` for `+Inf`. */
  readonly le: number;
  /** The bound as first written by the server, such as `1.0` or `1e+00`. */
  readonly text: string;
  readonly slot: Slot;
}

/** A histogram: sum, count and cumulative buckets. Its labels do not include `le`. */
export interface HistogramSeries {
  readonly kind: 'histogram';
  readonly family: Family;
  readonly labels: Labels;
  readonly sum: Slot;
  readonly count: Slot;
  /** Sorted by bound. Grows when the server exposes a new bound. */
  readonly buckets: readonly Bucket[];
}

/** A quantile computed by the server. */
export interface Quantile {
  /** From 0 to 1. */
  readonly quantile: number;
  /** The quantile as first written by the server. */
  readonly text: string;
  readonly slot: Slot;
}

/** A summary: sum, count and quantiles computed by the server. Its labels do not include `quantile`. */
export interface SummarySeries {
  readonly kind: 'summary';
  readonly family: Family;
  readonly labels: Labels;
  readonly sum: Slot;
  readonly count: Slot;
  /** Sorted by quantile. */
  readonly quantiles: readonly Quantile[];
}

export type Series = ScalarSeries | HistogramSeries | SummarySeries;

/** Returns the slot that every sample of a series has. */
export function getPrimarySlot(series: Series): Slot {
  return series.kind === 'scalar' ? series.value : series.count;
}

/** The meaning of a slot's values. */
export type SlotRole =
  | { readonly part: 'value'; readonly series: ScalarSeries }
  | { readonly part: 'sum' | 'count'; readonly series: HistogramSeries | SummarySeries }
  | { readonly part: 'bucket'; readonly series: HistogramSeries; readonly bucket: Bucket }
  | { readonly part: 'quantile'; readonly series: SummarySeries; readonly quantile: Quantile };

/**
 * The series of one endpoint and the slot of each of their values.
 *
 * A layout only grows: a slot keeps its meaning for the whole run, so frames of different lengths can be compared
 * position by position. A series is identified by name, type and labels.
 */
export class Layout {
  readonly #series: Series[] = [];
  /** Series by type and name of the family. */
  readonly #byFamily = new Map<string, SeriesIndex<Series>>();
  /** Series by slot. Slot roles are created on demand from `#owners` and `#parts`. */
  readonly #owners: Series[] = [];
  /** Bucket or quantile by slot; null for other slots. */
  readonly #parts: (Bucket | Quantile | null)[] = [];
  /** The family of the last lookup. The next lookup is usually for the same family. */
  #lastFamily: Family | undefined;
  #lastFamilySeries = new SeriesIndex<Series>();

  /** All series in the order of their first appearance. */
  get series(): readonly Series[] {
    return this.#series;
  }

  /** Number of slots; a frame has at most this many values. */
  get slotCount(): number {
    return this.#owners.length;
  }

  /**
   * Returns the meaning of a slot's values. Adding the series of the slots 0, 1, 2, ... to a new layout, in this order,
   * assigns the same slots. Throws a RangeError for an unknown slot.
   */
  getRole(slot: Slot): SlotRole {
    const series = this.#owners[slot];
    if (!series) throw new RangeError(`slot ${slot} does not exist: the layout has ${this.slotCount} slots`);
    if (series.kind === 'scalar') return { part: 'value', series };
    const part = this.#parts[slot];
    if (!part) return { part: slot === series.sum ? 'sum' : 'count', series };
    return series.kind === 'histogram'
      ? { part: 'bucket', series, bucket: part as Bucket }
      : { part: 'quantile', series, quantile: part as Quantile };
  }

  /** Returns the series of a gauge, a counter or a metric of unknown type; adds the series if it is new. */
  scalar(family: Family, labels: Labels): ScalarSeries {
    return this.#intern(family, labels, (interned, value) => {
      const series: ScalarSeries = { kind: 'scalar', family, labels: interned, value };
      this.#assignSlot(series, null);
      return series;
    });
  }

  /** Returns the series of a histogram; adds the series if it is new. `labels` must not include `le`. */
  histogram(family: Family, labels: Labels): HistogramSeries {
    return this.#intern(family, labels, (interned, sum) => {
      const series = new IndexedHistogram(family, interned, sum);
      this.#assignSlot(series, null);
      this.#assignSlot(series, null);
      return series;
    });
  }

  /** Returns the series of a summary; adds the series if it is new. `labels` must not include `quantile`. */
  summary(family: Family, labels: Labels): SummarySeries {
    return this.#intern(family, labels, (interned, sum) => {
      const series = new IndexedSummary(family, interned, sum);
      this.#assignSlot(series, null);
      this.#assignSlot(series, null);
      return series;
    });
  }

  /**
   * Returns the slot of a histogram's bucket; adds the bucket if it is new. Bounds are compared as numbers:
   * `1`, `1.0` and `1e+00` are one bucket. The series must belong to this layout.
   */
  bucket(series: HistogramSeries, le: number, text: string): Slot {
    const { index } = series as IndexedHistogram;
    const existing = index.get(le);
    if (existing) return existing.slot;
    const bucket: Bucket = { le, text: internString(text), slot: this.slotCount };
    index.add(bucket);
    this.#assignSlot(series, bucket);
    return bucket.slot;
  }

  /**
   * Returns the slot of a summary's quantile; adds the quantile if it is new. The series must belong to this
   * layout.
   */
  quantile(series: SummarySeries, quantile: number, text: string): Slot {
    const { index } = series as IndexedSummary;
    const existing = index.get(quantile);
    if (existing) return existing.slot;
    const added: Quantile = { quantile, text: internString(text), slot: this.slotCount };
    index.add(added);
    this.#assignSlot(series, added);
    return added.slot;
  }

  /** Assigns the next slot to a series. */
  #assignSlot(series: Series, part: Bucket | Quantile | null): void {
    this.#owners.push(series);
    this.#parts.push(part);
  }

  #intern<S extends Series>(family: Family, labels: Labels, create: (labels: Labels, slot: Slot) => S): S {
    const index = this.#findFamilySeries(family);
    const existing = index.get(labels);
    if (existing) return existing as S;
    const series = create(internLabels(labels), this.slotCount);
    index.add(series);
    this.#series.push(series);
    return series;
  }

  #findFamilySeries(family: Family): SeriesIndex<Series> {
    if (family === this.#lastFamily) return this.#lastFamilySeries;
    const key = `${family.type} ${family.name}`;
    let series = this.#byFamily.get(key);
    if (!series) {
      series = new SeriesIndex();
      this.#byFamily.set(key, series);
    }
    this.#lastFamily = family;
    this.#lastFamilySeries = series;
    return series;
  }
}

function getLe({ le }: Bucket): number {
  return le;
}

function getQuantile({ quantile }: Quantile): number {
  return quantile;
}

/**
 * A histogram of a layout. A class instead of an object literal, so that all histograms share one V8 hidden
 * class despite the getter.
 */
class IndexedHistogram implements HistogramSeries {
  readonly kind = 'histogram';
  readonly family: Family;
  readonly labels: Labels;
  readonly sum: Slot;
  readonly count: Slot;
  readonly index: BoundIndex<Bucket> = new BoundIndex<Bucket>(getLe);

  constructor(family: Family, labels: Labels, sum: Slot) {
    this.family = family;
    this.labels = labels;
    this.sum = sum;
    this.count = sum + 1;
  }

  get buckets(): readonly Bucket[] {
    return this.index.sorted;
  }
}

/** A summary of a layout. */
class IndexedSummary implements SummarySeries {
  readonly kind = 'summary';
  readonly family: Family;
  readonly labels: Labels;
  readonly sum: Slot;
  readonly count: Slot;
  readonly index: BoundIndex<Quantile> = new BoundIndex<Quantile>(getQuantile);

  constructor(family: Family, labels: Labels, sum: Slot) {
    this.family = family;
    this.labels = labels;
    this.sum = sum;
    this.count = sum + 1;
  }

  get quantiles(): readonly Quantile[] {
    return this.index.sorted;
  }
}
