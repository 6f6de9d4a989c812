import type { SeriesOverlap } from './serverDefinition.ts';

/** The labels of a series, by name. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Selects the series of a metric that together count each request once. If one series is the total of others, such as
 * of all priorities, the others are omitted; without a total, all are kept. Of ranks that repeat the same values, the
 * first is kept.
 */
export function omitRepeatedSeries<T>(
  series: readonly T[],
  { total, repeats }: SeriesOverlap,
  readLabels: (series: T) => Labels,
): readonly T[] {
  const once = repeats === undefined ? series : selectInGroups(series, repeats, readLabels, keepFirst);
  if (total === undefined) return once;
  return selectInGroups(once, [total.label], readLabels, group => {
    const totals = group.filter(item => (readLabels(item)[total.label] ?? '') === total.value);
    return totals.length > 0 ? totals : group;
  });
}

function keepFirst<T>(group: readonly T[]): readonly T[] {
  return group.slice(0, 1);
}

/** Groups series by all labels except `labels`, and selects series of each group. */
function selectInGroups<T>(
  series: readonly T[],
  labels: readonly string[],
  readLabels: (series: T) => Labels,
  select: (group: readonly T[]) => readonly T[],
): readonly T[] {
  const groups = new Map<string, T[]>();
  for (const item of series) {
    const others = Object.entries(readLabels(item)).filter(
      ([name, value]) => !labels.includes(name) && value !== '',
    );
    const key = JSON.stringify(others.sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()].flatMap(select);
}
