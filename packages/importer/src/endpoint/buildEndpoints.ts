import type { StoreMemory } from '@org/core';
import type { EndpointRecord } from '@org/record';
import { redactTargetLabels } from '@org/scrape';
import type { ScrapeTargets } from '../api/metadata.ts';
import type { Api, MsRange } from '../api/sampleReader.ts';
import { splitBySamples } from '../api/splitRange.ts';
import type { FamilyResolver } from '../families/familyResolver.ts';
import type { ImportEventSink } from '../importEvents.ts';
import { type PieceIndex, readPieceSeries } from '../spool/pieceFile.ts';
import { EndpointBuilder } from './endpointBuilder.ts';
import { createEndpointUrl } from './endpointUrls.ts';

/** The complete pieces of an import, in the order of their time ranges. */
export interface StoredPieces {
  readonly folder: string;
  readonly ranges: readonly MsRange[];
  readonly indexes: readonly PieceIndex[];
}

/** Options for building the endpoints of an import. */
export interface BuildOptions {
  /** The API that the pieces were read from. */
  readonly api: Api;
  readonly resolver: FamilyResolver;
  readonly scrapeTargets: ScrapeTargets;
  readonly memory?: StoreMemory | undefined;
  /** Maximum number of samples of an endpoint that are decoded at once; 2 million by default. */
  readonly maxDecodedSamples?: number | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: ImportEventSink;
}

/** An endpoint of an import, with its record and the target that it was. */
export interface BuiltEndpoint {
  readonly record: EndpointRecord;
  readonly builder: EndpointBuilder;
  readonly job: string;
  readonly instance: string;
}

/** Builds all endpoints that have samples in the pieces, in the order of their jobs. Throws `ChunkError` for invalid samples. */
export function buildEndpoints(pieces: StoredPieces, options: BuildOptions): BuiltEndpoint[] {
  const keys = [...new Set(pieces.indexes.flatMap(({ segments }) => Object.keys(segments)))].sort();
  const used = new Set<string>();
  return keys.map((key, index) => {
    const [job, instance] = JSON.parse(key) as [string, string];
    const url = createEndpointUrl(job, instance, options.scrapeTargets, used);
    used.add(url);
    const { resolver, memory, scrapeTargets } = options;
    const target = scrapeTargets.get(key)?.labels;
    const builder = new EndpointBuilder({ resolver, memory, job, instance, target });
    addPieces(builder, key, pieces, options);
    options.onEvent({ type: 'endpoint_built', endpoints: index + 1, total: keys.length });
    return { record: toRecord(builder, url, options.api), builder, job, instance };
  });
}

function addPieces(
  builder: EndpointBuilder,
  key: string,
  { folder, ranges, indexes }: StoredPieces,
  { maxDecodedSamples, signal }: BuildOptions,
): void {
  ranges.forEach((range, piece) => {
    const index = indexes[piece]!;
    for (const { fromMs, toMs } of splitBySamples(range, index.samples[key] ?? 0, maxDecodedSamples)) {
      signal.throwIfAborted();
      builder.addPiece(readPieceSeries(folder, piece, index, key), fromMs, toMs);
    }
  });
}

function toRecord(
  { store, health, placement, targetLabels }: EndpointBuilder,
  url: string,
  api: Api,
): EndpointRecord {
  const { instance: _, ...targetOnly } = Object.fromEntries(targetLabels);
  const labels = redactTargetLabels(targetOnly);
  const record = health.toRecord(placement.unsupported);
  // Steps of range queries are no evidence that a series did not exist before.
  const starts = { wasCreated: () => false, resets: record.resets ?? [] };
  return {
    url,
    configuredUrl: url,
    ...(labels ? { labels } : {}),
    store,
    health: record,
    ...(api === 'query-range' ? { starts } : {}),
  };
}
