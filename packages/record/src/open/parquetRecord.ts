import type { EndpointStore, StoreMemory } from '@org/core';
import { readServerMetricsParquet } from '@org/formats/parquet';
import { formatMilliseconds } from '../isoTime.ts';
import type { TimeRange } from '../runRecord.ts';
import { parseRunMetadata } from '../view/parquetMetadata.ts';
import {
  describeDocument,
  type Opened,
  type RunDescription,
  readDescription,
  toRunRecord,
} from './exportedRun.ts';
import { createReferenceLookup, readParquetStores } from './parquetStores.ts';

export interface ParquetRecordOptions {
  /** The JSON export of the same run, which describes it if the Parquet file was written by another program. */
  readonly json?: string | undefined;
  readonly memory?: StoreMemory | undefined;
}

/**
 * Reads a run record from a Parquet export. `file` is a path, or the bytes of the file. Without Servelens' metadata and without
 * a JSON export, the record has no health of its endpoints.
 *
 * @throws ParquetError for a malformed file, and a file system error if it cannot be read
 */
export async function readParquetRecord(
  file: string | Uint8Array,
  { json, memory }: ParquetRecordOptions = {},
): Promise<Opened> {
  const reader = await readServerMetricsParquet(file);
  const { metadata } = reader;
  await reader.close();
  const own = parseRunMetadata(metadata);
  const document = own || json === undefined ? undefined : await readDescription(json);
  const startNs = parseNs(metadata.get('aiperf.time_filter_start_ns'));
  const { stores, merged } = await readParquetStores({
    file,
    isContiguous: own !== undefined,
    findReference: createReferenceLookup(own, startNs === undefined ? null : startNs - 1n),
    memory,
  });
  const description = own
    ? { ...describeMetadata(metadata, stores), summary: own.summary }
    : document
      ? describeDocument(document)
      : describeMetadata(metadata, stores);
  const { summary, ...record } = toRunRecord(description, stores, memory);
  const hasSummary = own !== undefined || document !== undefined;
  return {
    // Without a summary, the endpoint information is computed from the scrapes in this file.
    record: hasSummary ? { ...record, ...(summary && { summary }) } : record,
    warnings: [
      ...(own ? [] : ['the file does not record reference samples: rates count from the start of profiling']),
      ...(hasSummary ? [] : ['there is no JSON export: endpoint_info covers only the scrapes in this file']),
      ...(own && own.clamped > 0 ? [formatClamped(own.clamped)] : []),
      ...(merged.length > 0 ? [formatMerged(merged)] : []),
    ],
  };
}

function formatClamped(series: number): string {
  const were = series === 1 ? 'series was' : 'series were';
  return `${series} ${were} reset during the run; only a journal contains the increase across resets`;
}

function formatMerged(names: readonly string[]): string {
  return `some series of ${names.join(', ')} differ only in a label without a column; only the first of each is exported`;
}

/** Describes a run by the metadata that every Parquet export has, or by its samples where the metadata is missing. */
function describeMetadata(
  metadata: ReadonlyMap<string, string>,
  stores: ReadonlyMap<string, EndpointStore>,
): RunDescription {
  const getText = (key: string): string | undefined => metadata.get(`aiperf.${key}`);
  const sampled = findTimeRange(stores.values());
  const startNs = parseNs(getText('time_filter_start_ns')) ?? sampled.startNs;
  const endNs = parseNs(getText('time_filter_end_ns')) ?? sampled.endNs;
  const listed = parseJson(getText('endpoint_urls'));
  const urls = Array.isArray(listed) && listed.length > 0 ? listed.map(String) : [...stores.keys()];
  const inputConfig = parseJson(getText('input_config'));
  return {
    benchmarkId: getText('benchmark_id') ?? '',
    version: getText('version') ?? '',
    inputConfig: isObject(inputConfig) ? inputConfig : {},
    summary: {
      endpoints_configured: urls,
      endpoints_successful: urls,
      start_time: formatMilliseconds(startNs),
      end_time: formatMilliseconds(endNs),
      profiling_start_ns: startNs,
      profiling_end_ns: endNs,
      endpoint_info: Object.fromEntries(urls.map(url => [url, { total_fetches: 0, unique_updates: 0 }])),
    },
  };
}

/** Metadata of other programs may be malformed: then the value counts as missing. */
function parseNs(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findTimeRange(stores: Iterable<EndpointStore>): TimeRange {
  const timelines = [...stores]
    .map(store => store.timeline())
    .filter(({ offsetsNs }) => offsetsNs.length > 0);
  const ends = timelines.flatMap(({ originNs, offsetsNs }) => [
    originNs + BigInt(offsetsNs[0]!),
    originNs + BigInt(offsetsNs.at(-1)!),
  ]);
  ends.sort((a, b) => (a < b ? -1 : 1));
  return { startNs: ends[0] ?? 0n, endNs: ends.at(-1) ?? 0n };
}
