import type { ProfileExport, ProfileMetric } from '@org/formats';
import { extractRunStatistics } from '@org/record/aggregate';
import { getServers } from '@org/record/servers';
import { computeCachedShare, type ServerMetrics } from '@org/run';
import { formatPercent } from './screenText.ts';

/** Fields of a data set whose prompts are independent of each other. */
const PLAIN_FIELDS: readonly string[] = ['name', 'type', 'entries', 'random_seed', 'prompts', 'sampling'];

/**
 * Describes how often a run sent each of its synthetic prompts, and the share of prompt tokens that the prefix cache of
 * the servers contained. Returns an empty array if prompts were not repeated, or if they are parts of conversations.
 */
export function describeRepeatedPrompts(
  document: ProfileExport,
  server: Pick<ServerMetrics, 'exports' | 'record'> | undefined,
): string[] {
  const requests = readAverage(document, 'request_count');
  const prompts = readEntries(document);
  if (requests === undefined || prompts === undefined || requests <= prompts) return [];
  const share = readCachedShare(document, server);
  const cache =
    share === undefined
      ? 'a prefix cache may have answered a part of them'
      : `${formatPercent(share)} of the prompt tokens came from the prefix cache`;
  return [
    `each of the ${prompts} prompts was sent ${(requests / prompts).toFixed(1)} times on average, and ${cache}; ` +
      'to send no prompt twice, use --unique-prompts',
  ];
}

/** Returns the number of different prompts of a single synthetic data set without conversations. */
function readEntries({ input_config: config }: ProfileExport): number | undefined {
  const { datasets = [] } = (config ?? {}) as { readonly datasets?: readonly Record<string, unknown>[] };
  const [dataset] = datasets;
  if (!Array.isArray(datasets) || datasets.length !== 1 || dataset?.type !== 'synthetic') return undefined;
  if (!Object.keys(dataset).every(field => PLAIN_FIELDS.includes(field))) return undefined;
  return typeof dataset.entries === 'number' ? dataset.entries : undefined;
}

/** Returns the share that responses report, otherwise the one that the servers report. */
function readCachedShare(
  document: ProfileExport,
  server: Pick<ServerMetrics, 'exports' | 'record'> | undefined,
): number | undefined {
  const percent = readAverage(document, 'overall_usage_prompt_cache_read_pct');
  if (percent !== undefined) return percent / 100;
  if (!server) return undefined;
  const statistics = extractRunStatistics(document, server.exports.document);
  return computeCachedShare(statistics, getServers(server.record));
}

function readAverage(document: ProfileExport, tag: string): number | undefined {
  return (document[tag] as ProfileMetric | undefined)?.avg;
}
