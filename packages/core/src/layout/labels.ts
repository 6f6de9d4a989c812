/**
 * The labels of a series: pairs sorted by name (UTF-16 order), each name once.
 *
 * Pairs and not an object, because a server may call a label `__proto__` or `1`.
 */
export type Labels = readonly (readonly [name: string, value: string])[];

/** Sorts pairs by label name; of pairs with one name the last wins. */
export function sortedLabels(pairs: Iterable<readonly [string, string]>): Labels {
  const labels = [...pairs];
  if (isSorted(labels)) return labels;
  const byName = new Map(labels);
  return [...byName].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Whether each name stands behind all before it, as most servers write them. */
function isSorted(labels: Labels): boolean {
  for (let i = 1; i < labels.length; i++) if (labels[i - 1]![0] >= labels[i]![0]) return false;
  return true;
}

/** One string for one label set: equal exactly when the labels are. */
export function labelsKey(labels: Labels): string {
  // In one piece: keys are kept, and a string that was put together keeps its parts.
  return labels.map(([name, value]) => `${name.length}:${name}${value.length}:${value}`).join('');
}
