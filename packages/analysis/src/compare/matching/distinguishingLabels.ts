type Labels = Readonly<Record<string, string>>;

/** No labels, shared by all series without labels. */
export const NO_LABELS: Labels = Object.freeze({});

/** The part of a row that its distinguishing labels depend on. */
interface LabelledRow {
  readonly name: string;
  readonly labels: Labels;
  distinguishingLabels: Labels;
}

/**
 * Use of a label by the series of a metric: its first value, whether it has other values, and the number of
 * series with it.
 */
interface LabelUse {
  readonly firstValue: string;
  hasOtherValues: boolean;
  series: number;
}

/** Adds the labels to each row that differ among the series of its metric. */
export function addDistinguishingLabels(rows: readonly LabelledRow[]): void {
  const seriesByMetric = new Map<string, Set<Labels>>();
  for (const { name, labels } of rows) {
    const series = seriesByMetric.get(name);
    if (series) series.add(labels);
    else seriesByMetric.set(name, new Set([labels]));
  }
  const differing = new Map<string, ReadonlySet<string>>();
  for (const [name, series] of seriesByMetric) differing.set(name, listDifferingLabels(series));
  for (const row of rows) row.distinguishingLabels = selectLabels(row.labels, differing.get(row.name)!);
}

function selectLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  if (names.size === 0) return NO_LABELS;
  return Object.fromEntries(Object.entries(labels).filter(([name]) => names.has(name)));
}

/** Lists the labels that not all series have, or that have several values. */
function listDifferingLabels(series: ReadonlySet<Labels>): ReadonlySet<string> {
  const uses = new Map<string, LabelUse>();
  for (const labels of series)
    for (const label of Object.keys(labels)) {
      const use = uses.get(label);
      if (!use) uses.set(label, { firstValue: labels[label]!, hasOtherValues: false, series: 1 });
      else {
        use.hasOtherValues ||= use.firstValue !== labels[label];
        use.series++;
      }
    }
  const differing = [...uses].filter(([, use]) => use.hasOtherValues || use.series < series.size);
  return new Set(differing.map(([label]) => label));
}
