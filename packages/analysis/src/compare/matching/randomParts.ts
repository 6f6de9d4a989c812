import type { LabelValues } from './labelValues.ts';

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
  /** The labels whose values have random parts that differ. */
  readonly labels: ReadonlySet<string>;
  /** Replaced values by the original value; there are many series with few values. */
  readonly #replaced = new Map<string, string>();

  /** @param runs the label values of each run */
  constructor(runs: readonly LabelValues[]) {
    this.labels = findDifferingLabels(runs);
  }

  /** Returns a label value without random parts, if the label has random parts that differ between runs. */
  replace(label: string, value: string): string {
    if (!this.labels.has(label)) return value;
    let replaced = this.#replaced.get(value);
    if (replaced === undefined) {
      replaced = value.replace(RANDOM_PART, PLACEHOLDER);
      this.#replaced.set(value, replaced);
    }
    return replaced;
  }
}

/** Finds the labels that have values with random parts that only some of the runs have. */
function findDifferingLabels(runs: readonly LabelValues[]): ReadonlySet<string> {
  const labels = new Set(runs.flatMap(values => [...values.keys()]));
  return new Set(
    [...labels].filter(label => {
      const random = runs.map(values => selectRandom(values.get(label)));
      return random.some(values => values.some(value => !runs.every(run => run.get(label)?.has(value))));
    }),
  );
}

function selectRandom(values: Iterable<string> = []): string[] {
  return [...values].filter(value => value.length >= MIN_LENGTH && value.search(RANDOM_PART) !== -1);
}
