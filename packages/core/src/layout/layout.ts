import { Parts } from './boundIndex.ts';
import type { Family } from './family.ts';
import type { Labels } from './labels.ts';
import { SeriesList } from './seriesIndex.ts';
import { sharedLabels, sharedText } from './stringPool.ts';

/** The number of a column of one endpoint: where a frame keeps one value. */
export type Slot = number;

/** A gauge, counter or unknown: one value a scrape. */
export interface ScalarSeries {
  readonly kind: 'scalar';
  readonly family: Family;
  readonly labels: Labels;
  readonly value: Slot;
}

/** One cumulative bucket of a histogram. */
export interface Bucket {
  /** Upper bound, inclusive, as a number: `Infinity` for `+Inf`. */
  readonly le: number;
  /** The bound as the server printed it first, such as `1.0` or `1e+00`. */
  readonly text: string;
  readonly slot: Slot;
}

/** A histogram: sum, count and cumulative buckets. Its labels are without `le`. */
export interface HistogramSeries {
  readonly kind: 'histogram';
  readonly family: Family;
  readonly labels: Labels;
  readonly sum: Slot;
  readonly count: Slot;
  /** Sorted by bound. Grows when the server shows a bound for the first time. */
  readonly buckets: readonly Bucket[];
}

/** One quantile that a server computed itself. */
export interface Quantile {
  readonly quantile: number;
  readonly text: string;
  readonly slot: Slot;
}

/** A summary: sum, count and the server's own quantiles. Its labels are without `quantile`. */
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

/** What the values of one slot are. */
export type SlotRole =
  | { readonly part: 'value'; readonly series: ScalarSeries }
  | { readonly part: 'sum' | 'count'; readonly series: HistogramSeries | SummarySeries }
  | { readonly part: 'bucket'; readonly series: HistogramSeries; readonly bucket: Bucket }
  | { readonly part: 'quantile'; readonly series: SummarySeries; readonly quantile: Quantile };

/**
 * The series of one endpoint and the slot of each of their values.
 *
 * A layout only grows: a slot keeps its meaning for the whole run, so frames of different lengths can be
 * compared position by position. Series are told apart by name, type and labels.
 */
export class Layout {
  readonly #series: Series[] = [];
  /** By type and name of the family. */
  readonly #byFamily = new Map<string, SeriesList<Series>>();
  /** By slot: its series, and its bucket or quantile if it is one. Roles are made of these when they are asked for. */
  readonly #owners: Series[] = [];
  readonly #parts: (Bucket | Quantile | null)[] = [];
  /** The family that was asked for last, which is most often the one that is asked for next. */
  #latest: Family | undefined;
  #ofLatest = new SeriesList<Series>();

  /** Every series seen so far, in the order of their first appearance. */
  get series(): readonly Series[] {
    return this.#series;
  }

  /** How many slots there are; a frame of this layout has at most this many values. */
  get slotCount(): number {
    return this.#owners.length;
  }

  /**
   * What a slot's values are. Whoever makes the series of the slots 0, 1, 2, ... in a new layout gets the same numbers
   * there. Throws a RangeError for a slot that the layout does not have.
   */
  slot(slot: Slot): SlotRole {
    const series = this.#owners[slot];
    if (!series)
      throw new RangeError(`cannot tell what slot ${slot} is: the layout has ${this.slotCount} slots`);
    if (series.kind === 'scalar') return { part: 'value', series };
    const part = this.#parts[slot];
    if (!part) return { part: slot === series.sum ? 'sum' : 'count', series };
    return series.kind === 'histogram'
      ? { part: 'bucket', series, bucket: part as Bucket }
      : { part: 'quantile', series, quantile: part as Quantile };
  }

  /** The series of a gauge, counter or unknown, made when it is new. */
  scalar(family: Family, labels: Labels): ScalarSeries {
    return this.#intern(family, labels, (own, value) => {
      const series: ScalarSeries = { kind: 'scalar', family, labels: own, value };
      this.#take(series, null);
      return series;
    });
  }

  /** The series of a histogram (labels without `le`), made when it is new. */
  histogram(family: Family, labels: Labels): HistogramSeries {
    return this.#intern(family, labels, (own, sum) => {
      const series = new HistogramColumns(family, own, sum);
      this.#take(series, null);
      this.#take(series, null);
      return series;
    });
  }

  /** The series of a summary (labels without `quantile`), made when it is new. */
  summary(family: Family, labels: Labels): SummarySeries {
    return this.#intern(family, labels, (own, sum) => {
      const series = new SummaryColumns(family, own, sum);
      this.#take(series, null);
      this.#take(series, null);
      return series;
    });
  }

  /**
   * The slot of a histogram's bucket. Bounds join as numbers: `1`, `1.0` and `1e+00` are one bucket. The series must be one
   * of this layout.
   */
  bucket(series: HistogramSeries, le: number, text: string): Slot {
    const { parts } = series as HistogramColumns;
    const known = parts.get(le);
    if (known) return known.slot;
    const bucket: Bucket = { le, text: sharedText(text), slot: this.slotCount };
    parts.add(bucket);
    this.#take(series, bucket);
    return bucket.slot;
  }

  /** The slot of a summary's quantile. The series must be one of this layout. */
  quantile(series: SummarySeries, quantile: number, text: string): Slot {
    const { parts } = series as SummaryColumns;
    const known = parts.get(quantile);
    if (known) return known.slot;
    const made: Quantile = { quantile, text: sharedText(text), slot: this.slotCount };
    parts.add(made);
    this.#take(series, made);
    return made.slot;
  }

  /** Gives the next slot to a series. */
  #take(series: Series, part: Bucket | Quantile | null): void {
    this.#owners.push(series);
    this.#parts.push(part);
  }

  #intern<S extends Series>(family: Family, labels: Labels, make: (labels: Labels, slot: Slot) => S): S {
    const ofFamily = this.#ofFamily(family);
    const known = ofFamily.get(labels);
    if (known) return known as S;
    const made = make(sharedLabels(labels), this.slotCount);
    ofFamily.add(made);
    this.#series.push(made);
    return made;
  }

  #ofFamily(family: Family): SeriesList<Series> {
    if (family === this.#latest) return this.#ofLatest;
    const key = `${family.type} ${family.name}`;
    let series = this.#byFamily.get(key);
    if (!series) {
      series = new SeriesList();
      this.#byFamily.set(key, series);
    }
    this.#latest = family;
    this.#ofLatest = series;
    return series;
  }
}

function boundOf({ le }: Bucket): number {
  return le;
}

function quantileOf({ quantile }: Quantile): number {
  return quantile;
}

/** A histogram of a layout. A class, because a getter of its own would give each object a shape of its own. */
class HistogramColumns implements HistogramSeries {
  readonly kind = 'histogram';
  readonly family: Family;
  readonly labels: Labels;
  readonly sum: Slot;
  readonly count: Slot;
  readonly parts: Parts<Bucket> = new Parts<Bucket>(boundOf);

  constructor(family: Family, labels: Labels, sum: Slot) {
    this.family = family;
    this.labels = labels;
    this.sum = sum;
    this.count = sum + 1;
  }

  get buckets(): readonly Bucket[] {
    return this.parts.sorted;
  }
}

/** A summary of a layout. */
class SummaryColumns implements SummarySeries {
  readonly kind = 'summary';
  readonly family: Family;
  readonly labels: Labels;
  readonly sum: Slot;
  readonly count: Slot;
  readonly parts: Parts<Quantile> = new Parts<Quantile>(quantileOf);

  constructor(family: Family, labels: Labels, sum: Slot) {
    this.family = family;
    this.labels = labels;
    this.sum = sum;
    this.count = sum + 1;
  }

  get quantiles(): readonly Quantile[] {
    return this.parts.sorted;
  }
}
