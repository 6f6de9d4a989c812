/**
 * The order of label columns that leaves the fewest gaps, as AIPerf has it: labels that occur together form a
 * family, families go by their smallest label, and in a family the labels of one series only come before those
 * of several. Takes the label names of every series.
 */
export function orderLabels(labelSets: readonly (readonly string[])[]): string[] {
  const uses = new Map<string, number>();
  for (const names of labelSets) for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  const families = familiesOf(labelSets);
  return [...families.values()].flatMap(family => {
    const shared = (name: string): number => Number(uses.get(name)! > 1);
    return family.sort((a, b) => shared(a) - shared(b) || (a < b ? -1 : 1));
  });
}

/** Connected labels, by the smallest of them, in its order. */
function familiesOf(labelSets: readonly (readonly string[])[]): Map<string, string[]> {
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

/** The smaller name becomes the root, so that a family is known by its smallest label. */
function join(parent: Map<string, string>, a: string, b: string): void {
  if (a < b) parent.set(b, a);
  else parent.set(a, b);
}
