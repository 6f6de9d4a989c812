import type { Run } from '../run/run.ts';
import { recognizeServers } from './metricSeries.ts';

/** A property of the servers or the hardware of a run. */
export interface SystemSetting {
  readonly topic: 'servers' | 'hardware' | 'versions' | 'server settings';
  /** The metric whose label is the setting; undefined for settings that do not come from a label. */
  readonly metric?: string;
  readonly name: string;
  /** The distinct values of all servers, sorted. */
  readonly values: readonly string[];
}

/**
 * Lists the properties that a run records: the kinds of servers, the number of endpoints, the GPUs, and the settings and
 * versions that servers report as labels of `*_info` metrics.
 */
export function listSystemSettings(run: Run): SystemSetting[] {
  const { endpoints } = run;
  const settings: SystemSetting[] = [
    { topic: 'servers', name: 'servers', values: recognizeServers(run).map(({ name }) => name) },
    { topic: 'servers', name: 'endpoints', values: endpoints.length === 0 ? [] : [String(endpoints.length)] },
    { topic: 'hardware', name: 'GPUs', values: countNames(listGpuNames(run)) },
  ];
  return [...settings.filter(({ values }) => values.length > 0), ...listLabelSettings(run)];
}

/** Returns the names of the GPUs with samples or, without samples, the GPUs in the profile export. */
function listGpuNames({ gpus, profile }: Run): string[] {
  if (gpus.length > 0) return gpus.map(({ model }) => model);
  return Object.values(profile?.telemetry_data?.endpoints ?? {}).flatMap(endpoint =>
    Object.values(endpoint.gpus ?? {}).map(({ gpu_name }) => gpu_name),
  );
}

/** Returns distinct names with their number, such as `8 × NVIDIA H100`. */
function countNames(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort().map(([name, count]) => `${count} × ${name}`);
}

/** Labels that name a process, a host or the model, or that differ between runs of the same server. */
const OTHER_LABEL =
  /(?:^|_)(?:pid|port|host|hostname|instance|pod|node|namespace|container|address|url|uid|uuid|id|rank|engine|index|model_name|model|start_time|blocks)$/;

function listLabelSettings({ families }: Run): SystemSetting[] {
  return [...families.values()]
    .filter(({ name }) => name.endsWith('_info'))
    .flatMap(({ name: metric, series }) => {
      const values = new Map<string, Set<string>>();
      for (const { labels } of series)
        for (const [label, value] of Object.entries(labels))
          if (!OTHER_LABEL.test(label)) values.set(label, (values.get(label) ?? new Set()).add(value));
      return [...values].map(
        ([label, found]): SystemSetting => ({
          topic: label.includes('version') ? 'versions' : 'server settings',
          metric,
          name: label,
          values: [...found].sort(),
        }),
      );
    });
}
