import { type Labels, labelsKey } from './labels.ts';

/** Up to here, comparing labels with those of every series costs less than making a key of them. */
const LONGEST_SCANNED = 8;

/** The series of one family, found by their labels. */
export class SeriesList<S extends { readonly labels: Labels }> {
  readonly #series: S[] = [];
  /** Made when there are many. */
  #byKey: Map<string, S> | undefined;

  get(labels: Labels): S | undefined {
    if (this.#byKey) return this.#byKey.get(labelsKey(labels));
    for (const series of this.#series) if (areSame(series.labels, labels)) return series;
    return undefined;
  }

  /** Takes a series whose labels are not there yet. */
  add(series: S): void {
    if (this.#byKey) {
      this.#byKey.set(labelsKey(series.labels), series);
      return;
    }
    this.#series.push(series);
    if (this.#series.length > LONGEST_SCANNED)
      this.#byKey = new Map(this.#series.map(one => [labelsKey(one.labels), one]));
  }
}

/** Whether two label sets, each sorted by name, are the same. */
function areSame(a: Labels, b: Labels): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i] && (a[i]![0] !== b[i]![0] || a[i]![1] !== b[i]![1])) return false;
  }
  return true;
}
