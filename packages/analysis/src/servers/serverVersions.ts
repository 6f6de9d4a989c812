import type { ServerMetricsView } from '@org/formats/read';
import type { ServerCatalog, ServerVersion } from '@org/servers';

/** Finds the versions that servers state in their metrics, by the URL of the endpoint. */
export function findServerVersions(
  { metrics }: Pick<ServerMetricsView, 'metrics'>,
  servers: ServerCatalog,
): ReadonlyMap<string, readonly ServerVersion[]> {
  const names = servers.servers.flatMap(({ recognize: { buildInfo = [] } }) =>
    buildInfo.flatMap(({ metric }) => servers.listNames(metric)),
  );
  const existing = names.filter(name => Object.hasOwn(metrics, name));
  const urls = new Set(existing.flatMap(name => metrics[name]!.series.map(series => series.endpoint_url)));
  const versions = [...urls].map(url => [url, servers.readVersions(name => readLabels(name, url))] as const);
  return new Map(versions.filter(([, found]) => found.length > 0));

  function readLabels(name: string, url: string): Readonly<Record<string, string>>[] {
    if (!Object.hasOwn(metrics, name)) return [];
    return metrics[name]!.series.filter(series => series.endpoint_url === url).map(
      ({ labels }) => ({ ...labels }) as Record<string, string>,
    );
  }
}

/** Lists the servers of endpoints with the versions that they state, such as `Istio 1.24.0`. */
export function formatVersions(versions: readonly ServerVersion[]): string[] {
  return versions.map(({ server, version }) => `${server} ${version}`);
}
