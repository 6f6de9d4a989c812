import type { ServerDefinition } from '@org/servers';
import type { Run } from '../run/run.ts';
import { type RunSeries, readSeriesLabels } from '../run/series.ts';

/** Finds the kinds of servers in a run, by the names and labels of their metrics. */
export function recognizeServers({
  families,
  servers,
}: Pick<Run, 'families' | 'servers'>): ServerDefinition[] {
  return servers.recognize(families.keys(), name => Object.keys(families.get(name)?.series[0]?.labels ?? {}));
}

/**
 * Returns the series of a metric. Servers can export a metric under several names with the same values: on each
 * endpoint, the first name that exists is used.
 */
export function listMetricSeries(
  { families, servers }: Pick<Run, 'families' | 'servers'>,
  metric: string,
): readonly RunSeries[] {
  const found = new Set<string>();
  return servers.listNames(metric).flatMap(name => {
    const series = (families.get(name)?.series ?? []).filter(({ endpoint }) => !found.has(endpoint));
    for (const { endpoint } of series) found.add(endpoint);
    return series;
  });
}

/** Returns the series of a metric that together count each request once; see `listMetricSeries`. */
export function listCountedSeries(
  run: Pick<Run, 'families' | 'servers'>,
  metric: string,
): readonly RunSeries[] {
  return run.servers.omitRepeats(metric, listMetricSeries(run, metric), readSeriesLabels);
}
