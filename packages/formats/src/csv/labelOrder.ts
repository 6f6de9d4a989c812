/**
 * Orders label columns to leave few gaps, as AIPerf does: labels that occur together form a group, groups are sorted by their
 * smallest label, and within a group labels of a single series come before labels of several.
 *
 * @param labelSets label names of each series
 */
export function orderLabels(labelSets: readonly (readonly string[])[]): string[] {
  const uses = new Map<string, number>();
  for (const names of labelSets) for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  const groups = groupLabels(labelSets);
  return [...groups.values()].flatMap(group => {
    const shared = (name: string): number => Number(uses.get(name)! > 1);
    return group.sort((a, b) => shared(a) - shared(b) || (a < b ? -1 : 1));
  });
}

/** Groups connected labels by their smallest label, in sorted order. */
function groupLabels(labelSets: readonly (readonly string[])[]): Map<string, string[]> {
  const parent = new Map<string, string>();
  const root = (name: string): string => {
    let at = name;
    while (parent.get(at) !== at) at = parent.get(at)!;
    return at;
  };
  for (const names of labelSets) {
    for (const name of names) if (!parent.has(name)) parent.set(name, name);
    for (const name of names) join(parent, root(names[0]!), root(name));
  }
  const families = new Map<string, string[]>();
  for (const name of [...parent.keys()].sort()) {
    const family = families.get(root(name));
    if (family) family.push(name);
    else families.set(root(name), [name]);
  }
  return families;
}

/** Joins two groups. The smaller name becomes the root, so that the root of a group is its smallest label. */
function join(parent: Map<string, string>, a: string, b: string): void {
  if (a < b) parent.set(b, a);
  else parent.set(a, b);
}
