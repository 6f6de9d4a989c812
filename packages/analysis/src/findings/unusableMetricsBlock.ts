import type { UnusableMetric } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';
import type { ServerCatalog } from '@org/servers';
import { createRun } from '../run/run.ts';
import { findUnusableMetrics } from './unusableMetrics.ts';

/**
 * Lists the metrics of known servers that no figure uses, for a server metrics document. Only the types and labels of
 * metrics are read, so the statistics of `view` may be empty.
 */
export function listUnusableMetrics(view: ServerMetricsView, servers: ServerCatalog): UnusableMetric[] {
  const run = createRun({ name: '', layout: 'json', files: {}, view, servers });
  const urls = new Map(run.endpoints.map(({ name, url }) => [name, url]));
  return findUnusableMetrics(run).map(({ endpoint = '', text }) => ({
    endpoint_url: urls.get(endpoint) ?? endpoint,
    reason: text,
  }));
}
