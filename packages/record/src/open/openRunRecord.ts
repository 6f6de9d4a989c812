import { dirname } from 'node:path';
import { EndpointStore, Layout, type StoreMemory } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import { ParquetError, readServerMetricsParquet } from '@org/formats/parquet';
import { FormatError, isSourceError, JsonSyntaxError, readServerMetricsJson } from '@org/formats/read';
import { recoverRun } from '../journal/recoverRun.ts';
import { RunInputError } from '../runInputError.ts';
import type { RunRecord } from '../runRecord.ts';
import { parseRunMetadata } from '../view/parquetMetadata.ts';
import { describeDocument, type RunDescription, toRunRecord } from './exportedRun.ts';
import { readJsonlStores } from './jsonlStores.ts';
import { createReferenceLookup, readParquetStores } from './parquetStores.ts';
import { type RunFiles, SOURCES, type SourceKind } from './runFiles.ts';

/** A run record read from a file, and the limits of that file. */
export interface OpenedRecord {
  readonly from: SourceKind;
  readonly path: string;
  readonly record: RunRecord;
  /** Data loss and approximations, one sentence each. */
  readonly warnings: readonly string[];
}

/** The data that each kind of source lacks, compared with the run itself. */
export const MISSING_DATA: Readonly<Record<SourceKind, string>> = {
  journal: 'nothing',
  parquet: 'warm-up and flush period, raw values (and therefore JSONL), summaries, increases across resets',
  jsonl:
    'scrapes with an unchanged body, _info metrics, summaries; types and units are read from the JSON export',
};

/**
 * Reads a run record from the most complete of the run's files, or from the kind in `wanted`.
 *
 * @throws RunInputError if no file has samples, or the file is malformed or cannot be read
 */
export async function openRunRecord(
  files: RunFiles,
  wanted: SourceKind | undefined,
  memory: StoreMemory,
): Promise<OpenedRecord> {
  const from = wanted ?? SOURCES.find(kind => files.files[kind] !== undefined);
  const path = from && files.files[from];
  if (from === undefined || path === undefined) throw noSource(files, wanted);
  try {
    return { from, path, ...(await READERS[from](path, files, memory)) };
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new RunInputError(`cannot export from ${path}: ${(error as Error).message}`);
  }
}

type Opened = Pick<OpenedRecord, 'record' | 'warnings'>;
type Reader = (path: string, files: RunFiles, memory: StoreMemory) => Promise<Opened>;

const READERS: Readonly<Record<SourceKind, Reader>> = {
  journal: async (path, _, memory) => readFromJournal(path, memory),
  parquet: readFromParquet,
  jsonl: readFromJsonl,
};

function readFromJournal(path: string, memory: StoreMemory): Opened {
  const { record, replay } = recoverRun(path, memory);
  return {
    record,
    warnings: [
      ...(replay.message === '' ? [] : [replay.message]),
      ...(replay.missedFrames > 0 ? [missedFramesMessage(replay.missedFrames)] : []),
    ],
  };
}

/** Formats the number of scrapes that are missing from a journal. */
export function missedFramesMessage(frames: number): string {
  return `${frames} ${frames === 1 ? 'scrape is' : 'scrapes are'} missing: the journal could not be written at the time`;
}

async function readFromParquet(path: string, { files }: RunFiles, memory: StoreMemory): Promise<Opened> {
  const reader = await readServerMetricsParquet(path);
  const { metadata } = reader;
  await reader.close();
  const own = parseRunMetadata(metadata);
  const document = own || files.json === undefined ? undefined : await readDocument(files.json);
  const description = own
    ? { ...describeMetadata(metadata), summary: own.summary }
    : document
      ? describeDocument(document)
      : describeMetadata(metadata);
  const startNs = BigInt(metadata.get('aiperf.time_filter_start_ns') ?? 0);
  const findReference = createReferenceLookup(own, startNs - 1n);
  const { stores, merged } = await readParquetStores(path, findReference, memory);
  const { summary: _, ...record } = toRunRecord(description, url => storeOf(stores, url, memory));
  const hasSummary = own !== undefined || document !== undefined;
  return {
    // Without a summary, the endpoint information is computed from the scrapes in this file.
    record: hasSummary ? { ...record, summary: description.summary } : record,
    warnings: [
      ...(own ? [] : ['the file does not record reference samples: rates count from the start of profiling']),
      ...(hasSummary ? [] : ['there is no JSON export: endpoint_info covers only the scrapes in this file']),
      ...(own && own.clamped > 0 ? [clampedMessage(own.clamped)] : []),
      ...(merged.length > 0 ? [mergedMessage(merged)] : []),
    ],
  };
}

function clampedMessage(series: number): string {
  const were = series === 1 ? 'series was' : 'series were';
  return `${series} ${were} reset during the run; only a journal contains the increase across resets`;
}

function mergedMessage(names: readonly string[]): string {
  return `some series of ${names.join(', ')} differ only in a label without a column; only the first of each is exported`;
}

async function readFromJsonl(
  path: string,
  { files, folder }: RunFiles,
  memory: StoreMemory,
): Promise<Opened> {
  if (files.json === undefined) {
    throw new RunInputError(
      `cannot export from ${path} alone: the types and units of its metrics are in the JSON export, which is missing from ${folder}`,
    );
  }
  const document = await readDocument(files.json);
  const stores = await readJsonlStores(path, document.metrics, memory);
  return {
    record: toRunRecord(describeDocument(document), url => storeOf(stores, url, memory)),
    warnings: [],
  };
}

function storeOf(
  stores: ReadonlyMap<string, EndpointStore>,
  url: string,
  memory: StoreMemory,
): EndpointStore {
  return stores.get(url) ?? new EndpointStore(new Layout(), memory);
}

async function readDocument(path: string): Promise<ServerMetricsDocument> {
  const document = await readServerMetricsJson(path);
  if ('schema_version' in document) return document;
  throw new RunInputError(
    `cannot use ${path} as a description of the run: it has the legacy flat layout; expected schema 1.0`,
  );
}

/** Describes a run by the metadata that every Parquet export has. */
function describeMetadata(metadata: ReadonlyMap<string, string>): RunDescription {
  const text = (key: string): string | undefined => metadata.get(`aiperf.${key}`);
  const startNs = BigInt(text('time_filter_start_ns') ?? 0);
  const endNs = BigInt(text('time_filter_end_ns') ?? 0);
  const urls = JSON.parse(text('endpoint_urls') ?? '[]') as string[];
  const formatTime = (ns: bigint): string => new Date(Number(ns / 1_000_000n)).toISOString();
  return {
    benchmarkId: text('benchmark_id') ?? '',
    version: text('version') ?? '',
    inputConfig: JSON.parse(text('input_config') ?? '{}') as Record<string, unknown>,
    summary: {
      endpoints_configured: urls,
      endpoints_successful: urls,
      start_time: formatTime(startNs),
      end_time: formatTime(endNs),
      profiling_start_ns: startNs,
      profiling_end_ns: endNs,
      endpoint_info: Object.fromEntries(urls.map(url => [url, { total_fetches: 0, unique_updates: 0 }])),
    },
  };
}

function noSource({ folder, files }: RunFiles, wanted: SourceKind | undefined): RunInputError {
  const found = Object.values(files)
    .map(path => JSON.stringify(path.slice(dirname(path).length + 1)))
    .join(', ');
  if (wanted !== undefined)
    return new RunInputError(`no ${wanted} source in ${folder}; the folder contains ${found}`);
  return new RunInputError(
    `cannot export ${folder} again: ${found} contains statistics but no samples; samples are in a journal ` +
      '(collect --keep-journal), in a Parquet export, or in a JSONL export next to the JSON export',
  );
}

function isFileError(error: unknown): boolean {
  if (error instanceof ParquetError || error instanceof FormatError || error instanceof JsonSyntaxError)
    return true;
  return isSourceError(error) || (error as NodeJS.ErrnoException).code !== undefined;
}
