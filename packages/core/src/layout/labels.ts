/**
 * The labels of a series: pairs with unique names, sorted by name (UTF-16 order).
 *
 * Pairs are used instead of an object because a label name may be `__proto__` or `1`.
 */
export type Labels = readonly (readonly [name: string, value: string])[];

/** Sorts pairs by label name. If a name is repeated, the last pair wins. */
export function sortLabels(pairs: Iterable<readonly [string, string]>): Labels {
  const labels = [...pairs];
  if (isSorted(labels)) return labels;
  const byName = new Map(labels);
  return [...byName].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Reports whether names are strictly ascending, which is the case for most servers. */
function isSorted(labels: Labels): boolean {
  for (let i = 1; i < labels.length; i++) if (labels[i - 1]![0] >= labels[i]![0]) return false;
  return true;
}

/** Returns a key for maps. The keys of two label sets are equal if and only if the label sets are equal. */
export function formatLabelsKey(labels: Labels): string {
  // `join` returns a flat string. A concatenated string would keep its parts in memory.
  return labels.map(([name, value]) => `${name.length}:${name}${value.length}:${value}`).join('');
}
