import { listSeries, type Run } from '../run/run.ts';

/**
 * A random part of a label value, such as the end of `worker_kv_query_source_1493cde33e81e1`: at least 10 hexadecimal
 * digits that are not all letters, a UUID, or at least 16 decimal digits.
 */
const RANDOM_PART =
  /(?<![0-9a-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{10,}|[0-9]{16,})(?![0-9a-z])/gi;

/** The length of the shortest random part. */
const MIN_LENGTH = 10;

/** The text that replaces a random part. */
const PLACEHOLDER = '*';

/** The labels whose values have random parts that differ between runs. The random parts are ignored. */
export class RandomParts {
  /** The labels, as sentences. */
  readonly notes: readonly string[];
  readonly #labels: ReadonlySet<string>;
  /** Replaced values by the original value; there are many series with few values. */
  readonly #replaced = new Map<string, string>();

  constructor(runs: readonly Run[]) {
    this.#labels = findDifferingLabels(runs);
    this.notes = [...this.#labels].map(
      label => `random parts of label ${label} differ between runs and are ignored`,
    );
  }

  /** Returns a label value without random parts, if the label has random parts that differ between runs. */
  replace(label: string, value: string): string {
    if (!this.#labels.has(label)) return value;
    let replaced = this.#replaced.get(value);
    if (replaced === undefined) {
      replaced = value.replace(RANDOM_PART, PLACEHOLDER);
      this.#replaced.set(value, replaced);
    }
    return replaced;
  }
}

/** Finds the labels that have values with random parts that only some of the runs have. */
function findDifferingLabels(runs: readonly Run[]): ReadonlySet<string> {
  const runsByValue = new Map<string, Map<string, number>>();
  for (const run of runs)
    for (const [label, values] of collectRandomValues(run))
      for (const value of values) {
        const counts = runsByValue.get(label) ?? new Map<string, number>();
        runsByValue.set(label, counts.set(value, (counts.get(value) ?? 0) + 1));
      }
  const differing = [...runsByValue].filter(([, counts]) => [...counts.values()].some(n => n < runs.length));
  return new Set(differing.map(([label]) => label));
}

function collectRandomValues(run: Run): Map<string, Set<string>> {
  const byLabel = new Map<string, Set<string>>();
  const isRandom = new Map<string, boolean>();
  for (const { labels } of listSeries(run))
    for (const [label, value] of Object.entries(labels)) {
      if (value.length < MIN_LENGTH) continue;
      if (!isRandom.has(value)) isRandom.set(value, value.search(RANDOM_PART) !== -1);
      if (isRandom.get(value)) byLabel.set(label, (byLabel.get(label) ?? new Set()).add(value));
    }
  return byLabel;
}
