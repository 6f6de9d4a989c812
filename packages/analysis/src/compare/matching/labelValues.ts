import { listSeries, type Run } from '../../run/run.ts';

/** The distinct values of each label in a run. */
export type LabelValues = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects the values of all labels of a run. */
export function collectLabelValues(run: Run): LabelValues {
  const valuesByLabel = new Map<string, Set<string>>();
  for (const { labels } of listSeries(run))
    for (const label of Object.keys(labels)) {
      const values = valuesByLabel.get(label);
      if (values) values.add(labels[label]!);
      else valuesByLabel.set(label, new Set([labels[label]!]));
    }
  return valuesByLabel;
}
