import type { SeriesType } from '../run/series.ts';

/** A series that only one side has. */
export interface OneSidedSeries {
  readonly name: string;
  readonly type: SeriesType;
  readonly labels: Readonly<Record<string, string>>;
}

/** Labels that keep series of both sides from matching. */
export interface LabelHint {
  /** Sorted by name; never empty. */
  readonly labels: readonly {
    readonly label: string;
    /** The only value on each side; null if the series do not have the label. */
    readonly base: string | null;
    readonly new: string | null;
  }[];
  /** The number of one-sided series that match without the labels. */
  readonly series: number;
  /** The number of one-sided series. */
  readonly of: number;
  /** True if the labels to match by were chosen with `by`; then these labels have to be removed from that list. */
  readonly isChosen: boolean;
}

/** Series that differ in more labels are probably unrelated. */
const MAX_LABELS = 2;

/**
 * Finds labels that have one value on one side, and another value or none on the other, such as the name of a
 * renamed model. Returns undefined unless most one-sided series match without them.
 *
 * @param chosen whether the labels to match by were chosen with `by`
 */
export function findLabelHint(
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
  chosen = false,
): LabelHint | undefined {
  const of = onlyBase.length + onlyNew.length;
  if (onlyBase.length === 0 || onlyNew.length === 0) return undefined;
  const [before, after] = [collectSoleValues(onlyBase), collectSoleValues(onlyNew)];
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    label => before.get(label) !== after.get(label) && isSole(before, label) && isSole(after, label),
  );
  const { needed, series } = minimizeLabels(differing.filter(isArgument).sort(), onlyBase, onlyNew);
  if (needed.length > MAX_LABELS || 2 * series <= of) return undefined;
  const labels = needed.map(label => ({
    label,
    base: before.get(label) ?? null,
    new: after.get(label) ?? null,
  }));
  return { labels, series, of, isChosen: chosen };
}

/** Returns the value of each label; null if it has several. */
function collectSoleValues(missing: readonly OneSidedSeries[]): Map<string, string | null> {
  const values = new Map<string, string | null>();
  for (const { labels } of missing)
    for (const [label, value] of Object.entries(labels))
      values.set(label, values.has(label) && values.get(label) !== value ? null : value);
  return values;
}

function isSole(values: ReadonlyMap<string, string | null>, label: string): boolean {
  return values.get(label) !== null;
}

/** Reports whether a label can be passed as the value of an option. */
function isArgument(label: string): boolean {
  return /^\w[\w.:/-]*$/.test(label);
}

/**
 * Removes labels that are not needed for the series to match. Returns the rest and the number of series that
 * match.
 */
function minimizeLabels(
  labels: readonly string[],
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
): { needed: readonly string[]; series: number } {
  let needed = labels;
  let series = countMatches(needed, onlyBase, onlyNew);
  for (const label of labels) {
    const fewer = needed.filter(candidate => candidate !== label);
    const count = countMatches(fewer, onlyBase, onlyNew);
    if (count >= series) [needed, series] = [fewer, count];
  }
  return { needed, series };
}

/** Counts the series of both sides that match if these labels are ignored. */
function countMatches(
  labels: readonly string[],
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
): number {
  // With all their labels, these series did not match.
  if (labels.length === 0) return 0;
  const before = onlyBase.map(match => createKey(match, labels));
  const after = onlyNew.map(match => createKey(match, labels));
  const [known, found] = [new Set(before), new Set(after)];
  return before.filter(key => found.has(key)).length + after.filter(key => known.has(key)).length;
}

function createKey({ name, type, labels }: OneSidedSeries, without: readonly string[]): string {
  const kept = Object.entries(labels).filter(([label]) => !without.includes(label));
  return JSON.stringify([name, type, kept.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
