/**
 * The labels of a series: pairs sorted by name (UTF-16 order), each name once.
 *
 * Pairs and not an object, because a server may call a label `__proto__` or `1`.
 */
export type Labels = readonly (readonly [name: string, value: string])[];

/** Sorts pairs by label name; of pairs with one name the last wins. */
export function sortedLabels(pairs: Iterable<readonly [string, string]>): Labels {
  const byName = new Map<string, string>();
  for (const [name, value] of pairs) byName.set(name, value);
  return [...byName].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** One string for one label set: equal exactly when the labels are. */
export function labelsKey(labels: Labels): string {
  let key = '';
  for (const [name, value] of labels) key += `${name.length}:${name}${value.length}:${value}`;
  return key;
}
