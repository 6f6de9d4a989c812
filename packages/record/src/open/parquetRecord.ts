import type { EndpointStore, Series, StoreMemory } from '@org/core';
import { ParquetError, readServerMetricsParquet, VERSION_KEY } from '@org/formats/parquet';
import { isSourceError } from '@org/formats/read';
import { formatUtcMilliseconds } from '../isoTime.ts';
import type { TimeRange } from '../runRecord.ts';
import { parseRunMetadata, type RunMetadata } from '../view/parquetMetadata.ts';
import {
  describeDocument,
  type OpenedRun,
  type RunDescription,
  readDescription,
  toRunRecord,
} from './exportedRun.ts';
import { createReferenceLookup, readParquetStores } from './parquetStores.ts';
import { PositionRanges } from './positionRanges.ts';

export interface ParquetRecordOptions {
  /** Path of the JSON export of the same run, which describes the run if another program wrote the Parquet file. */
  readonly json?: string | undefined;
  readonly memory?: StoreMemory | undefined;
}

/**
 * Reads a run record from a Parquet export. `file` is a path, or the bytes of the file. Endpoint health is
 * unknown if the file has no Servelens metadata and there is no JSON export.
 *
 * @throws ParquetError for a malformed file, and a file system error if it cannot be read
 */
export async function readParquetRecord(
  file: string | Uint8Array,
  { json, memory }: ParquetRecordOptions = {},
): Promise<OpenedRun> {
  const reader = await readServerMetricsParquet(file);
  const { metadata } = reader;
  await reader.close();
  const runMetadata = parseRunMetadata(metadata);
  const document = runMetadata || json === undefined ? undefined : await readDescription(json);
  const startNs = parseNs(metadata.get('aiperf.time_filter_start_ns'));
  const { stores, merged, series } = await readParquetStores({
    file,
    isContiguous: runMetadata !== undefined,
    findReference: createReferenceLookup(runMetadata, startNs === undefined ? null : startNs - 1n),
    resets: new Map(runMetadata?.resets?.map(reset => [reset.series, reset])),
    memory,
  });
  const description = runMetadata
    ? {
        ...describeMetadata(metadata, stores),
        summary: runMetadata.summary,
        servelensConfig: describeConfig(runMetadata),
      }
    : document
      ? describeDocument(document)
      : describeMetadata(metadata, stores);
  const created = listCreated(runMetadata, series);
  const opened = toRunRecord(description, { stores }, memory, series => created.has(series));
  const { summary, ...record } = { ...opened.record, lacksWarmup: true as const };
  const hasSummary = runMetadata !== undefined || document !== undefined;
  return {
    // Without a summary, the endpoint information is computed from the scrapes in this file.
    record: hasSummary ? { ...record, ...(summary && { summary }) } : record,
    warnings: [
      ...opened.warnings,
      ...(runMetadata
        ? []
        : ['the file does not record reference samples: rates are measured from the start of profiling']),
      ...(hasSummary ? [] : [UNKNOWN_END]),
      ...(hasSummary ? [] : ['there is no JSON export: endpoint_info covers only the scrapes in this file']),
      ...(runMetadata && runMetadata.clamped > 0 ? [formatClamped(runMetadata.clamped)] : []),
      ...(merged.length > 0 ? [formatMerged(merged)] : []),
    ],
  };
}

/** Reports whether a Parquet export records reference samples. AIPerf's exports do not. False for an unreadable file. */
export async function hasReferences(file: string): Promise<boolean> {
  try {
    const reader = await readServerMetricsParquet(file);
    const { metadata } = reader;
    await reader.close();
    return parseRunMetadata(metadata) !== undefined;
  } catch (error) {
    if (error instanceof ParquetError || isSourceError(error)) return false;
    throw error;
  }
}

const UNKNOWN_END =
  'the file does not record the end of the profiling phase: the statistics also cover the scrapes after it';

/** Lists the series that were created in the run. */
function listCreated(
  { created = [] }: Partial<RunMetadata> = {},
  series: readonly (Series | undefined)[],
): ReadonlySet<Series> {
  const ranges = new PositionRanges(created.map(range => [range, true] as const));
  return new Set(series.flatMap((entry, position) => (entry && ranges.find(position) ? [entry] : [])));
}

function formatClamped(series: number): string {
  return `the decreases of ${series} series cannot be restored: they fell below their value at the start of profiling without a reset, or were reset too often; only a journal contains their values`;
}

function formatMerged(names: readonly string[]): string {
  return `some series of ${names.join(', ')} differ only in a label without a column; only the first of each is exported`;
}

/** Describes a run from the AIPerf metadata of its Parquet export. Missing values are derived from the samples. */
function describeMetadata(
  metadata: ReadonlyMap<string, string>,
  stores: ReadonlyMap<string, EndpointStore>,
): RunDescription {
  const getText = (key: string): string | undefined => metadata.get(`aiperf.${key}`);
  const sampleRange = findTimeRange(stores.values());
  const startNs = parseNs(getText('time_filter_start_ns')) ?? sampleRange.startNs;
  const endNs = parseNs(getText('time_filter_end_ns')) ?? sampleRange.endNs;
  const listedUrls = parseJson(getText('endpoint_urls'));
  const urls =
    Array.isArray(listedUrls) && listedUrls.length > 0 ? listedUrls.map(String) : [...stores.keys()];
  const inputConfig = parseJson(getText('input_config'));
  return {
    benchmarkId: getText('benchmark_id') ?? '',
    version: metadata.get(VERSION_KEY) ?? readOldVersion(metadata),
    inputConfig: isObject(inputConfig) ? inputConfig : {},
    summary: {
      endpoints_configured: urls,
      endpoints_successful: urls,
      start_time: formatUtcMilliseconds(startNs),
      end_time: formatUtcMilliseconds(endNs),
      profiling_start_ns: startNs,
      profiling_end_ns: endNs,
      endpoint_info: Object.fromEntries(urls.map(url => [url, { total_fetches: 0, unique_updates: 0 }])),
    },
  };
}

/** Returns the options that AIPerf's metadata does not have: the definitions of servers. */
function describeConfig({ server_definitions: text }: RunMetadata): RunDescription['servelensConfig'] {
  return text === undefined ? undefined : { server_definitions: parseJson(text) };
}

/** Returns the version in a file of an earlier version of Servelens, which wrote it as the version of AIPerf. */
function readOldVersion(metadata: ReadonlyMap<string, string>): string | undefined {
  return metadata.has('aiperf.node_version') ? metadata.get('aiperf.version') : undefined;
}

/** Parses a timestamp in Unix nanoseconds. Returns undefined if it is missing or malformed. */
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
