import { dirname } from 'node:path';
import { EndpointStore, Layout, type StoreMemory } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import { ParquetError, readServerMetricsParquet } from '@org/formats/parquet';
import { FormatError, isSourceError, JsonSyntaxError, readServerMetricsJson } from '@org/formats/read';
import { recoverRun } from '../journal/runJournal.ts';
import type { RunRecord } from '../runRecord.ts';
import { UsageError } from '../usageError.ts';
import { runMetadataOf } from '../view/runMetadata.ts';
import { aboutDocument, type RunAbout, runRecordOf } from './exportedRun.ts';
import { jsonlStores } from './jsonlSamples.ts';
import { parquetSamples, referencesOf } from './parquetSamples.ts';
import { type RunFiles, SOURCES, type SourceKind } from './runFiles.ts';

/** A run read back, and what is to be said of how whole it is. */
export interface LoadedRun {
  readonly from: SourceKind;
  readonly path: string;
  readonly record: RunRecord;
  readonly warnings: readonly string[];
}

/** What only other sources have, for people. */
export const LACKS: Readonly<Record<SourceKind, string>> = {
  journal: 'nothing',
  parquet: 'warm-up and flush period, raw values (so no JSONL), summaries, what was counted across resets',
  jsonl:
    'scrapes whose body was the previous one, _info metrics, summaries; types and units come from the JSON',
};

/** Reads the run from the best of its files, or from the kind that was asked for. Throws `UsageError`. */
export async function loadRun(
  files: RunFiles,
  wanted: SourceKind | undefined,
  memory: StoreMemory,
): Promise<LoadedRun> {
  const from = wanted ?? SOURCES.find(kind => files.files[kind] !== undefined);
  const path = from && files.files[from];
  if (from === undefined || path === undefined) throw missing(files, wanted);
  try {
    return { from, path, ...(await LOADERS[from](path, files, memory)) };
  } catch (error) {
    if (!isOfTheFile(error)) throw error;
    throw new UsageError(`cannot export from ${path}: ${(error as Error).message}`);
  }
}

type Loaded = Pick<LoadedRun, 'record' | 'warnings'>;
type Loader = (path: string, files: RunFiles, memory: StoreMemory) => Promise<Loaded>;

const LOADERS: Readonly<Record<SourceKind, Loader>> = {
  journal: async (path, _, memory) => fromJournal(path, memory),
  parquet: fromParquet,
  jsonl: fromJsonl,
};

function fromJournal(path: string, memory: StoreMemory): Loaded {
  const { record, replay } = recoverRun(path, memory);
  const missed =
    replay.missedFrames > 0
      ? [`${replay.missedFrames} scrape(s) could not be written to the journal in their time`]
      : [];
  return { record, warnings: [...(replay.message === '' ? [] : [replay.message]), ...missed] };
}

async function fromParquet(path: string, { files }: RunFiles, memory: StoreMemory): Promise<Loaded> {
  const reader = await readServerMetricsParquet(path);
  const { metadata } = reader;
  await reader.close();
  const own = runMetadataOf(metadata);
  const document = own || files.json === undefined ? undefined : await documentOf(files.json);
  const about = own
    ? { ...aboutMetadata(metadata), summary: own.summary }
    : document
      ? aboutDocument(document)
      : aboutMetadata(metadata);
  const startNs = BigInt(metadata.get('aiperf.time_filter_start_ns') ?? 0);
  const { stores, merged } = await parquetSamples(path, referencesOf(own, startNs - 1n), memory);
  const { summary: _, ...read } = runRecordOf(
    about,
    url => stores.get(url) ?? new EndpointStore(new Layout(), memory),
  );
  // Where nobody says how the endpoints fared, their scrapes in this file do.
  const record = own || document ? { ...read, summary: about.summary } : read;
  const warnings = [
    ...(own
      ? []
      : [
          'the file does not say what its series count from: rates are per second since the start of profiling',
        ]),
    ...(own || document
      ? []
      : ['no JSON export beside it: endpoint_info speaks of the scrapes in this file']),
    ...(own && own.clamped > 0
      ? [
          `${own.clamped} series began again in the run; what they counted before and after is in a journal only`,
        ]
      : []),
    ...(merged.length > 0
      ? [
          `series of ${merged.join(', ')} differ in a label without a column only; the first of each is exported`,
        ]
      : []),
  ];
  return { record, warnings };
}

async function fromJsonl(path: string, { files, folder }: RunFiles, memory: StoreMemory): Promise<Loaded> {
  if (files.json === undefined) {
    throw new UsageError(
      `cannot export from ${path} alone: types and units of its metrics stand in the JSON export, which ${folder} lacks`,
    );
  }
  const document = await documentOf(files.json);
  const stores = await jsonlStores(path, document.metrics, memory);
  const storeOf = (url: string): EndpointStore => stores.get(url) ?? new EndpointStore(new Layout(), memory);
  return { record: runRecordOf(aboutDocument(document), storeOf), warnings: [] };
}

async function documentOf(path: string): Promise<ServerMetricsDocument> {
  const document = await readServerMetricsJson(path);
  if ('schema_version' in document) return document;
  throw new UsageError(
    `cannot export with ${path}: it has the flat layout, which lacks what schema 1.0 says`,
  );
}

/** What the metadata of every Parquet export says. */
function aboutMetadata(metadata: ReadonlyMap<string, string>): RunAbout {
  const text = (key: string): string | undefined => metadata.get(`aiperf.${key}`);
  const startNs = BigInt(text('time_filter_start_ns') ?? 0);
  const endNs = BigInt(text('time_filter_end_ns') ?? 0);
  const urls = JSON.parse(text('endpoint_urls') ?? '[]') as string[];
  const time = (ns: bigint): string => new Date(Number(ns / 1_000_000n)).toISOString();
  return {
    benchmarkId: text('benchmark_id') ?? '',
    version: text('version') ?? '',
    inputConfig: JSON.parse(text('input_config') ?? '{}') as Record<string, unknown>,
    summary: {
      endpoints_configured: urls,
      endpoints_successful: urls,
      start_time: time(startNs),
      end_time: time(endNs),
      profiling_start_ns: startNs,
      profiling_end_ns: endNs,
      endpoint_info: Object.fromEntries(urls.map(url => [url, { total_fetches: 0, unique_updates: 0 }])),
    },
  };
}

function missing({ folder, files }: RunFiles, wanted: SourceKind | undefined): UsageError {
  const there = Object.values(files).map(path => JSON.stringify(path.slice(dirname(path).length + 1)));
  if (wanted !== undefined)
    return new UsageError(
      `--from is "${wanted}", and there is none in ${folder}; there is ${there.join(', ')}`,
    );
  return new UsageError(
    `cannot export ${folder} again: it has ${there.join(', ')}, which holds statistics and no samples. They are in a ` +
      'journal (collect --keep-journal), a Parquet export, or a JSONL export beside the JSON one',
  );
}

function isOfTheFile(error: unknown): boolean {
  if (error instanceof ParquetError || error instanceof FormatError || error instanceof JsonSyntaxError)
    return true;
  return isSourceError(error) || (error as NodeJS.ErrnoException).code !== undefined;
}
