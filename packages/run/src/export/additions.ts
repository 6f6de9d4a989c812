import type { ServerMetricsView } from '@org/formats/read';
import type { Compatibility, ExportFormat, JsonLayout } from '@org/record';
import { getServers } from '@org/record/servers';
import type { ExportView } from '@org/record/view';
import type { ServerVersion } from '@org/servers';
import type { DeriveMetrics } from './digest.ts';
import { getFileLayout } from './fileLayout.ts';

/** The options of an export that determine whether it has additions. */
interface JsonExportOptions {
  readonly formats: readonly ExportFormat[];
  readonly compatibility?: Compatibility;
  readonly jsonLayout?: JsonLayout;
}

/** Reports whether the JSON export contains what the metrics of known servers mean. AIPerf's layouts have no place for it. */
export function hasAdditions(
  { metrics, record }: ExportView,
  { formats, compatibility, jsonLayout }: JsonExportOptions,
): boolean {
  return (
    formats.includes('json') &&
    jsonLayout !== 'legacy' &&
    getFileLayout(compatibility) !== 'aiperf' &&
    getServers(record).recognize(metrics.map(({ name }) => name)).length > 0
  );
}

/**
 * Adds the metrics that no figure uses and the versions of servers to the summary of a view, and returns the function that
 * computes the derived metrics.
 * Loads the analysis, which takes memory.
 */
export async function addMeaning(
  view: ExportView,
): Promise<{ readonly view: ExportView; readonly derive: DeriveMetrics }> {
  const { createDerivedBlock, findServerVersions, listUnusableMetrics } = await import(
    '@org/analysis/exports'
  );
  const servers = getServers(view.record);
  const described = describeSeries(view);
  const unusable = listUnusableMetrics(described, servers);
  const summary = addVersions(view.summary, findServerVersions(described, servers));
  return {
    view: {
      ...view,
      summary: unusable.length === 0 ? summary : { ...summary, unusable_metrics: unusable },
    },
    derive: document => createDerivedBlock(document as ServerMetricsView, servers),
  };
}

function addVersions(
  summary: ExportView['summary'],
  versions: ReadonlyMap<string, readonly ServerVersion[]>,
): ExportView['summary'] {
  if (versions.size === 0) return summary;
  const infos = Object.entries(summary.endpoint_info).map(([url, info]) => {
    const found = versions.get(url);
    return [url, found ? { ...info, server_versions: [...found] } : info];
  });
  return { ...summary, endpoint_info: Object.fromEntries(infos) };
}

/** Returns a document with the types and labels of all series, without statistics. */
function describeSeries({ metrics, summary }: ExportView): ServerMetricsView {
  const described = metrics.map(({ name, type, description, unit, series }) => [
    name,
    {
      type,
      description,
      ...(unit === null ? {} : { unit }),
      series: series.map(({ endpoint, series: { labels } }) => ({
        endpoint_url: endpoint.record.url,
        labels: Object.fromEntries(labels),
        stats: {},
      })),
    },
  ]);
  return { schema_version: '1.0', summary, metrics: Object.fromEntries(described) } as ServerMetricsView;
}
