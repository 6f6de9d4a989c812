/**
 * Orders label columns as AIPerf does, so that few cells between labels are empty. Labels that occur in the
 * same series form a group. Groups are sorted by their first label. Within a group, labels of only one series
 * come before labels of several.
 *
 * @param labelSets the label names of each series
 */
export function orderLabels(labelSets: readonly (readonly string[])[]): string[] {
  const uses = new Map<string, number>();
  for (const names of labelSets) for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  const groups = groupLabels(labelSets);
  return [...groups.values()].flatMap(group => {
    const isShared = (name: string): number => Number(uses.get(name)! > 1);
    return group.sort((a, b) => isShared(a) - isShared(b) || (a < b ? -1 : 1));
  });
}

/** Groups labels that occur together, directly or through other labels. Keys and labels are sorted alphabetically. */
function groupLabels(labelSets: readonly (readonly string[])[]): Map<string, string[]> {
  const parent = new Map<string, string>();
  const findRoot = (name: string): string => {
    let root = name;
    while (parent.get(root) !== root) root = parent.get(root)!;
    return root;
  };
  for (const names of labelSets) {
    for (const name of names) if (!parent.has(name)) parent.set(name, name);
    for (const name of names) mergeGroups(parent, findRoot(names[0]!), findRoot(name));
  }
  const groups = new Map<string, string[]>();
  for (const name of [...parent.keys()].sort()) {
    const group = groups.get(findRoot(name));
    if (group) group.push(name);
    else groups.set(findRoot(name), [name]);
  }
  return groups;
}

/** Merges two groups. The root of the merged group is its first label in alphabetical order. */
function mergeGroups(parent: Map<string, string>, a: string, b: string): void {
  if (a < b) parent.set(b, a);
  else parent.set(a, b);
}
