import { sortLabels } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import { getInt64s, ParquetError, readServerMetricsParquet } from '@org/formats/parquet';
import { isSourceError } from '@org/formats/read';
import { type ConstantSeries, type JsonlSupplement, toFamily } from './jsonlStores.ts';
import { readRowRanges } from './rowRanges.ts';

/**
 * Collects the data that the JSONL export of a run lacks from its JSON export and, if it exists, from its Parquet export:
 * `_info` metrics, and the times of scrapes with an unchanged body. The JSON export records the time of the last scrape.
 * Servelens' Parquet export contains all scrapes of the period, AIPerf's only some of those with an unchanged body.
 */
export async function createSupplement(
  document: ServerMetricsDocument,
  parquet: string | undefined,
): Promise<JsonlSupplement> {
  const infos = Object.entries(document.summary.endpoint_info);
  return {
    constants: listConstants(document.metrics),
    scrapeTimes: await collectScrapeTimes(infos, parquet),
    scrapeCounts: new Map(infos.map(([url, { total_fetches: fetches }]) => [url, fetches ?? 0])),
    lineCounts: new Map(infos.map(([url, { unique_updates: updates }]) => [url, updates ?? 0])),
  };
}

/** Lists the `_info` metrics whose value did not change, by endpoint URL. */
function listConstants(metrics: ServerMetricsDocument['metrics']): Map<string, ConstantSeries[]> {
  const constants = new Map<string, ConstantSeries[]>();
  for (const [name, metric] of Object.entries(metrics)) {
    if (metric.type !== 'gauge' || !name.endsWith('_info')) continue;
    const family = toFamily(name, 'gauge', metric.description, metric.unit ?? null);
    for (const { endpoint_url: url, labels, stats } of metric.series) {
      if (stats.min !== stats.max) continue;
      const series = constants.get(url) ?? [];
      constants.set(url, series);
      series.push({ family, labels: sortLabels(Object.entries(labels ?? {})), value: stats.min });
    }
  }
  return constants;
}

async function collectScrapeTimes(
  infos: readonly (readonly [url: string, info: EndpointInfo])[],
  parquet: string | undefined,
): Promise<ReadonlyMap<string, readonly bigint[]>> {
  const times = new Map<string, Set<bigint>>();
  if (parquet !== undefined) await addScrapeTimes(parquet, times);
  for (const [url, { last_fetch_ns: last }] of infos)
    if (last !== undefined) times.set(url, (times.get(url) ?? new Set()).add(last));
  return new Map([...times].map(([url, known]) => [url, [...known].sort((a, b) => (a < b ? -1 : 1))]));
}

/** Adds the times of the scrapes in a Parquet export, by endpoint URL. A file that cannot be read has none. */
async function addScrapeTimes(file: string, times: Map<string, Set<bigint>>): Promise<void> {
  try {
    const reader = await readServerMetricsParquet(file);
    try {
      for await (const { series, batch, from, to } of readRowRanges(reader, [], { isContiguous: false })) {
        const known = times.get(series.url) ?? new Set();
        times.set(series.url, known);
        const { values } = getInt64s(batch, 'timestamp_ns');
        for (let row = from; row < to; row++) known.add(values[row]!);
      }
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (!(error instanceof ParquetError || isSourceError(error))) throw error;
  }
}
