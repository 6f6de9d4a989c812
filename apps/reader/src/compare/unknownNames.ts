import type { CompareOptions, Run } from '@org/analysis';
import { UsageError } from '@org/terminal';

/** Throws a UsageError if no run contains a requested metric, statistic or label. */
export function rejectUnknownNames(
  { stats = [], metrics = [], by = [], ignoreLabels = [] }: CompareOptions,
  runs: readonly Run[],
): void {
  if (stats.length + metrics.length + by.length + ignoreLabels.length === 0) return;
  const known = collectNames(runs);
  const metric = metrics.find(text => ![...known.metrics].some(name => name.includes(text)));
  if (metric !== undefined)
    throw new UsageError(
      `invalid --metric ${JSON.stringify(metric)}: no metric name of these runs contains this text`,
    );
  rejectUnknownName('--stat', 'statistic', stats, known.stats);
  rejectUnknownName('--by', 'label', by, known.labels);
  rejectUnknownName('--ignore-label', 'label', ignoreLabels, known.labels);
}

function rejectUnknownName(
  option: string,
  kind: string,
  names: readonly string[],
  known: ReadonlySet<string>,
): void {
  const unknown = names.find(name => !known.has(name));
  if (unknown !== undefined)
    throw new UsageError(
      `invalid ${option} ${JSON.stringify(unknown)}: no series has this ${kind}; expected one of ${[...known].sort().join(', ')}`,
    );
}

/** The names of the metrics, statistics and labels of several runs. */
function collectNames(runs: readonly Run[]): Record<'metrics' | 'stats' | 'labels', ReadonlySet<string>> {
  const metrics = new Set<string>();
  const stats = new Set<string>();
  const labels = new Set(['endpoint_url']);
  for (const run of runs) {
    for (const endpoint of run.endpoints)
      for (const label of Object.keys(endpoint.labels)) labels.add(label).add(`target.${label}`);
    for (const { name, series } of run.families.values()) {
      metrics.add(name);
      for (const entry of series) {
        for (const stat of Object.keys(entry.stats)) stats.add(stat);
        for (const label of Object.keys(entry.labels)) labels.add(label);
      }
    }
  }
  return { metrics, stats, labels };
}
