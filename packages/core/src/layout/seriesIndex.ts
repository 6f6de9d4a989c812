import { formatLabelsKey, type Labels } from './labels.ts';

/**
 * Maximum number of series that are searched one by one. For more series, a map is faster, although it
 * requires building keys.
 */
const MAX_SCANNED_SERIES = 8;

/** Finds the series of one family by their labels. */
export class SeriesIndex<S extends { readonly labels: Labels }> {
  readonly #series: S[] = [];
  /** Built when there are more than `MAX_SCANNED_SERIES` series. */
  #byKey: Map<string, S> | undefined;

  /** Returns the series with these labels; undefined if there is none. */
  get(labels: Labels): S | undefined {
    if (this.#byKey) return this.#byKey.get(formatLabelsKey(labels));
    for (const series of this.#series) if (areEqual(series.labels, labels)) return series;
    return undefined;
  }

  /** Adds a series. No other series may have the same labels. */
  add(series: S): void {
    if (this.#byKey) {
      this.#byKey.set(formatLabelsKey(series.labels), series);
      return;
    }
    this.#series.push(series);
    if (this.#series.length > MAX_SCANNED_SERIES)
      this.#byKey = new Map(this.#series.map(item => [formatLabelsKey(item.labels), item]));
  }
}

/** Reports whether two sorted label sets are equal. */
function areEqual(a: Labels, b: Labels): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i] && (a[i]![0] !== b[i]![0] || a[i]![1] !== b[i]![1])) return false;
  }
  return true;
}
