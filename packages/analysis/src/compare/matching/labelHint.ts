import type { SeriesType } from '../../run/series.ts';

/** A series that exists on only one side of a comparison. */
export interface OneSidedSeries {
  readonly name: string;
  readonly type: SeriesType;
  readonly labels: Readonly<Record<string, string>>;
}

/** Labels whose values prevent the series of both sides from matching. */
export interface LabelHint {
  /** The labels, sorted by name; never empty. */
  readonly labels: readonly {
    readonly label: string;
    /** The single value of the label on each side; null if the series do not have the label. */
    readonly base: string | null;
    readonly new: string | null;
  }[];
  /** The number of one-sided series that match if the labels are ignored. */
  readonly matchingSeries: number;
  /** The number of one-sided series. */
  readonly oneSidedSeries: number;
  /** True if `by` selects the labels to match by. If so, the labels of the hint should be removed from `by`. */
  readonly isChosen: boolean;
}

/** The maximum number of labels of a hint. Series that differ in more labels are probably unrelated. */
const MAX_LABELS = 2;

/**
 * Finds labels that have one value on one side, and another value or none on the other, such as the name of a
 * renamed model. Returns undefined unless most one-sided series match if one or two such labels are ignored.
 *
 * @param isChosen whether `by` selects the labels to match by
 */
export function findLabelHint(
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
  isChosen = false,
): LabelHint | undefined {
  const oneSidedSeries = onlyBase.length + onlyNew.length;
  if (onlyBase.length === 0 || onlyNew.length === 0) return undefined;
  const [before, after] = [collectSoleValues(onlyBase), collectSoleValues(onlyNew)];
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    label =>
      before.get(label) !== after.get(label) && hasSoleValue(before, label) && hasSoleValue(after, label),
  );
  const { needed, matchingSeries } = minimizeLabels(differing.filter(isArgument).sort(), onlyBase, onlyNew);
  if (needed.length > MAX_LABELS || 2 * matchingSeries <= oneSidedSeries) return undefined;
  const labels = needed.map(label => ({
    label,
    base: before.get(label) ?? null,
    new: after.get(label) ?? null,
  }));
  return { labels, matchingSeries, oneSidedSeries, isChosen };
}

/** Returns the value of each label; null for a label with several values. */
function collectSoleValues(series: readonly OneSidedSeries[]): Map<string, string | null> {
  const values = new Map<string, string | null>();
  for (const { labels } of series)
    for (const [label, value] of Object.entries(labels))
      values.set(label, values.has(label) && values.get(label) !== value ? null : value);
  return values;
}

/** Reports whether a label has at most one value. */
function hasSoleValue(values: ReadonlyMap<string, string | null>, label: string): boolean {
  return values.get(label) !== null;
}

/** Reports whether a label can be passed as the value of an option. */
function isArgument(label: string): boolean {
  return /^\w[\w.:/-]*$/.test(label);
}

/**
 * Finds a minimal subset of labels that must be ignored for the series to match. Returns it with the number of
 * series that match.
 */
function minimizeLabels(
  labels: readonly string[],
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
): { needed: readonly string[]; matchingSeries: number } {
  let needed = labels;
  let matchingSeries = countMatches(needed, onlyBase, onlyNew);
  for (const label of labels) {
    const remaining = needed.filter(candidate => candidate !== label);
    const count = countMatches(remaining, onlyBase, onlyNew);
    if (count >= matchingSeries) [needed, matchingSeries] = [remaining, count];
  }
  return { needed, matchingSeries };
}

/** Counts the series of both sides that match if `labels` are ignored. */
function countMatches(
  labels: readonly string[],
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
): number {
  // One-sided series do not match if no label is ignored.
  if (labels.length === 0) return 0;
  const baseKeys = onlyBase.map(match => createKey(match, labels));
  const newKeys = onlyNew.map(match => createKey(match, labels));
  const [baseSet, newSet] = [new Set(baseKeys), new Set(newKeys)];
  return baseKeys.filter(key => newSet.has(key)).length + newKeys.filter(key => baseSet.has(key)).length;
}

function createKey({ name, type, labels }: OneSidedSeries, without: readonly string[]): string {
  const matchedLabels = Object.entries(labels).filter(([label]) => !without.includes(label));
  return JSON.stringify([name, type, matchedLabels.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
