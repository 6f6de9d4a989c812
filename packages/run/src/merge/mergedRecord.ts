import type { ServerMetricsDocument } from '@org/formats';
import { type EndpointRecord, RunInputError, type RunRecord } from '@org/record';
import { createExportView, formatUtc } from '@org/record/view';
import type { MergedDescription } from './mergedDescription.ts';
import type { ShardRun } from './shardRun.ts';

type Summary = ServerMetricsDocument['summary'];

/**
 * Unites the endpoints of shards into the record of one run. Throws `RunInputError` if two shards scraped the same URL, because
 * it may denote different servers on different machines.
 */
export function mergeRecords(shards: readonly ShardRun[], description: MergedDescription): RunRecord {
  const { shards: merged, servelensConfig, ...run } = description;
  const records = shards.flatMap(({ servers }) => (servers ? [servers.record] : []));
  const endpoints = uniteEndpoints(shards);
  const summaries = records.map(record => createExportView(record).summary);
  const summary: Summary = {
    ...uniteSummaries(summaries),
    start_time: formatUtc(run.startNs),
    end_time: formatUtc(run.endNs),
    profiling_start_ns: run.period.startNs,
    profiling_end_ns: run.period.endNs,
    was_cancelled: run.cancelled,
    shards: merged,
  };
  return {
    ...run,
    ...(servelensConfig ? { servelensConfig } : {}),
    ...(records.some(({ lacksWarmup }) => lacksWarmup) ? { lacksWarmup: true as const } : {}),
    summary,
    endpoints,
  };
}

function uniteEndpoints(shards: readonly ShardRun[]): EndpointRecord[] {
  const owners = new Map<string, string>();
  return shards.flatMap(({ folder, servers }) =>
    (servers?.record.endpoints ?? []).map(endpoint => {
      const owner = owners.get(endpoint.url);
      if (owner !== undefined)
        throw new RunInputError(
          `${JSON.stringify(owner)} and ${JSON.stringify(folder)} both contain ${endpoint.url}, which may be different servers on different machines; list each endpoint once, by a name that is the same on all machines`,
        );
      owners.set(endpoint.url, folder);
      return endpoint;
    }),
  );
}

function uniteSummaries(summaries: readonly Summary[]): Summary {
  const [first] = summaries;
  const unite = <T>(read: (summary: Summary) => readonly T[] | undefined): T[] =>
    summaries.flatMap(summary => read(summary) ?? []);
  const [marks, settling, unusable] = [
    unite(({ marks }) => marks),
    unite(({ settling }) => settling),
    unite(({ unusable_metrics: metrics }) => metrics),
  ];
  const { phase_time_ranges: _, idle_periods: __, ...common } = first!;
  return {
    ...common,
    endpoints_configured: unite(({ endpoints_configured: urls }) => urls),
    endpoints_successful: unite(({ endpoints_successful: urls }) => urls),
    endpoint_info: Object.assign({}, ...summaries.map(({ endpoint_info: infos }) => infos)),
    ...(marks.length > 0 ? { marks: marks.sort((a, b) => (a.time_ns < b.time_ns ? -1 : 1)) } : {}),
    ...(settling.length > 0 ? { settling } : {}),
    ...(unusable.length > 0 ? { unusable_metrics: unusable } : {}),
    ...uniteScraping(summaries),
    ...uniteLosses(summaries),
  };
}

/** Adds up the cost of scraping on all machines. */
function uniteScraping(summaries: readonly Summary[]): Pick<Summary, 'scraping'> {
  const costs = summaries.flatMap(({ scraping }) => scraping ?? []);
  if (costs.length === 0) return {};
  const scrapes = sum(costs.map(cost => cost.scrapes));
  const cpuMs = sum(costs.map(cost => cost.cpu_ms));
  return {
    scraping: { scrapes, cpu_ms: cpuMs, cpu_ms_per_scrape: scrapes === 0 ? 0 : cpuMs / scrapes },
  };
}

function uniteLosses(summaries: readonly Summary[]): Pick<Summary, 'data_loss'> {
  const losses = summaries.flatMap(({ data_loss: loss }) => loss ?? []);
  if (losses.length === 0) return {};
  return {
    data_loss: {
      scrapes_lost: sum(losses.map(loss => loss.scrapes_lost)),
      scrapes_unwritten: sum(losses.map(loss => loss.scrapes_unwritten)),
      unreadable_places: sum(losses.map(loss => loss.unreadable_places)),
      unreadable_bytes: sum(losses.map(loss => loss.unreadable_bytes)),
    },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
