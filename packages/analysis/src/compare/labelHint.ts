import type { OneSidedSeries } from './missing.ts';

/** Labels that keep series of both sides from meeting, and how many would meet without them. */
export interface LabelHint {
  /** In the order of their names; never empty. */
  readonly labels: readonly {
    readonly label: string;
    /** Its only value on each side; null where series do not have it. */
    readonly base: string | null;
    readonly new: string | null;
  }[];
  /** How many of the series of one side only would have a partner. */
  readonly series: number;
  /** How many series of one side only there are. */
  readonly of: number;
  /** Whether the compared labels were chosen one by one (`by`): then these have to be left out of that list. */
  readonly isChosen: boolean;
}

/** Series that differ in more labels than these are not the same under another name. */
const MAX_LABELS = 2;

/**
 * The labels that have one value on one side and another, or none, on the other: a model that was renamed, a label that a
 * newer server has. Undefined when leaving them out would not have most of the one-sided series meet. `chosen`: the labels
 * that count were named one by one.
 */
export function findLabelHint(
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
  chosen = false,
): LabelHint | undefined {
  const of = onlyBase.length + onlyNew.length;
  if (onlyBase.length === 0 || onlyNew.length === 0) return undefined;
  const [before, after] = [soleValues(onlyBase), soleValues(onlyNew)];
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    label => before.get(label) !== after.get(label) && isSole(before, label) && isSole(after, label),
  );
  const { needed, series } = fewest(differing.filter(isArgument).sort(), onlyBase, onlyNew);
  if (needed.length > MAX_LABELS || 2 * series <= of) return undefined;
  const labels = needed.map(label => ({
    label,
    base: before.get(label) ?? null,
    new: after.get(label) ?? null,
  }));
  return { labels, series, of, isChosen: chosen };
}

/** By label: its value, or null where it has several. */
function soleValues(missing: readonly OneSidedSeries[]): Map<string, string | null> {
  const values = new Map<string, string | null>();
  for (const { labels } of missing)
    for (const [label, value] of Object.entries(labels))
      values.set(label, values.has(label) && values.get(label) !== value ? null : value);
  return values;
}

function isSole(values: ReadonlyMap<string, string | null>, label: string): boolean {
  return values.get(label) !== null;
}

/** Names that an option can take as they are. */
function isArgument(label: string): boolean {
  return /^\w[\w.:/-]*$/.test(label);
}

/** Those of the labels without which fewer series would meet, and how many meet. */
function fewest(
  labels: readonly string[],
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
): { needed: readonly string[]; series: number } {
  let needed = labels;
  let series = meeting(needed, onlyBase, onlyNew);
  for (const label of labels) {
    const fewer = needed.filter(one => one !== label);
    const count = meeting(fewer, onlyBase, onlyNew);
    if (count >= series) [needed, series] = [fewer, count];
  }
  return { needed, series };
}

/** How many series, of both sides, have a partner on the other when these labels are left out. */
function meeting(
  labels: readonly string[],
  onlyBase: readonly OneSidedSeries[],
  onlyNew: readonly OneSidedSeries[],
): number {
  // With all of their labels they did not meet: that is why they are here.
  if (labels.length === 0) return 0;
  const before = onlyBase.map(one => keyOf(one, labels));
  const after = onlyNew.map(one => keyOf(one, labels));
  const [known, found] = [new Set(before), new Set(after)];
  return before.filter(key => found.has(key)).length + after.filter(key => known.has(key)).length;
}

function keyOf({ name, type, labels }: OneSidedSeries, without: readonly string[]): string {
  const kept = Object.entries(labels).filter(([label]) => !without.includes(label));
  return JSON.stringify([name, type, kept.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
