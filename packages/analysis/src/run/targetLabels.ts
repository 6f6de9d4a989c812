import type { ServerMetricsView } from '@org/formats/read';

/** The labels of the targets of a run, such as `pod` and `node`, by the URL of the endpoint. */
export type TargetLabels = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Reads the labels of the targets of a run. CSV files contain them in columns, all other files in `endpoint_info`. */
export function readTargetLabels({ summary, target_labels }: ServerMetricsView): TargetLabels {
  const labels = new Map(Object.entries(target_labels ?? {}));
  for (const [url, info] of Object.entries(summary?.endpoint_info ?? {}))
    if (info.labels) labels.set(url, info.labels);
  return labels;
}

/** Prefix of a name that refers to a label of the target, even if the series has a label of this name. */
const TARGET_PREFIX = 'target.';

/** A series, as far as its labels are concerned. */
export interface LabelledSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly targetLabels?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns a label of a series or of its target; undefined if it does not exist. Labels of the series take precedence.
 * `target.pod` is the label `pod` of the target.
 */
export function findLabel({ labels, targetLabels = {} }: LabelledSeries, name: string): string | undefined {
  if (Object.hasOwn(labels, name)) return labels[name];
  if (Object.hasOwn(targetLabels, name)) return targetLabels[name];
  const targetName = name.startsWith(TARGET_PREFIX) ? name.slice(TARGET_PREFIX.length) : undefined;
  return targetName !== undefined && Object.hasOwn(targetLabels, targetName)
    ? targetLabels[targetName]
    : undefined;
}
