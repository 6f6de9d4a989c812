import { formatCount, formatDuration, quoteShellPath, type StoreMemory } from '@org/core';
import { type EndpointRecord, RunInputError, type TimeRange } from '@org/record';
import { redactTargetLabels, type Target } from '@org/scrape';
import { ApiClient } from './api/apiClient.ts';
import { type Metadata, readMetadata, readScrapeTargets, type ScrapeTargets } from './api/metadata.ts';
import { OptionalReader } from './api/optionalReader.ts';
import { readPiece } from './api/pieceReader.ts';
import { RETRY_PAUSES_MS, type RetryPolicy } from './api/retry.ts';
import { type Api, type MsRange, ResponseError, type SampleReader } from './api/sampleReader.ts';
import { createReader, selectReader } from './api/selectReader.ts';
import { EndpointBuilder, type EndpointOptions } from './endpoint/endpointBuilder.ts';
import { createEndpointUrl } from './endpoint/endpointUrls.ts';
import { FamilyResolver, type KnownTypes } from './families/familyResolver.ts';
import type { ImportEventSink } from './importEvents.ts';
import { findSampledRange, type Imported, type TypeCounts } from './imported.ts';
import { ChunkError } from './remoteRead/xorChunk.ts';
import type { Selector } from './selector.ts';
import { type PieceIndex, readPieceIndex, readPieceSeries } from './spool/pieceFile.ts';
import type { SpooledSeries } from './spool/seriesCodec.ts';
import { ImportState } from './state/importState.ts';
import { formatTime } from './time.ts';

/** Series and time range to import from an API, and the folder of the pieces until the exports are written. */
export interface ApiImportOptions {
  /** The base URL of the API, with its connection settings. */
  readonly target: Target;
  /** The API to use; the most complete one that the server has by default. */
  readonly api?: Api | undefined;
  readonly selectors: readonly Selector[];
  /** The requested range as the user wrote it, and in Unix milliseconds. Both ends are included. */
  readonly from: { readonly text: string; readonly ms: number };
  readonly to: { readonly text: string; readonly ms: number };
  /** Length of a piece of the range, which is requested at once, in milliseconds. */
  readonly pieceMs: number;
  /** Step of range queries, in milliseconds. */
  readonly stepMs: number;
  readonly folder: string;
  readonly memory?: StoreMemory | undefined;
  /** The types of metrics of known servers, which are used if the API has no types. */
  readonly knownTypes: KnownTypes;
  /** Maximum number of samples of an endpoint that are decoded at once; 2 million by default, which take about 50 MB. */
  readonly maxDecodedSamples?: number;
  /** Pauses before repeated attempts after transient failures, in milliseconds. */
  readonly retryPausesMs?: readonly number[];
  readonly signal: AbortSignal;
  readonly onEvent?: ImportEventSink;
}

/** A completed import and its pieces, which are removed after the exports are written. */
export interface ApiImport {
  readonly imported: Imported;
  readonly state: ImportState;
}

/**
 * Imports the samples of an API. The range is read in pieces, which are kept in the artifact folder until the exports are
 * written: an interrupted import continues with the next piece.
 *
 * @throws RunInputError if the API cannot be used or has no samples, or if the folder has an import with other options
 */
export async function importApi(options: ApiImportOptions): Promise<ApiImport> {
  const client = new ApiClient(options.target);
  try {
    return await new ApiImporter(client, options).run();
  } finally {
    await client.close();
  }
}

class ApiImporter {
  readonly #client: ApiClient;
  readonly #options: ApiImportOptions;
  readonly #onEvent: ImportEventSink;
  readonly #state: ImportState;
  readonly #pieces: readonly MsRange[];
  readonly #indexes: PieceIndex[] = [];
  #reader: SampleReader | undefined;
  /** Sentences about facts that could not be read. */
  readonly #losses: string[] = [];
  readonly #types: TypeCounts = { metadata: 0, known_server: 0, name: 0, none: 0 };

  constructor(client: ApiClient, options: ApiImportOptions) {
    this.#client = client;
    this.#options = options;
    this.#onEvent = options.onEvent ?? (() => {});
    const { selectors, from, to, api = 'auto', pieceMs, stepMs, folder } = options;
    this.#state = ImportState.open(folder, {
      requested: {
        url: client.url,
        match: selectors.map(({ text }) => text),
        from: from.text,
        to: to.text,
        api,
        piece_ms: pieceMs,
        step_ms: stepMs,
      },
      from_ms: from.ms,
      to_ms: to.ms,
    });
    const { from_ms, to_ms } = this.#state.plan;
    this.#pieces = splitRange(from_ms, to_ms, pieceMs);
  }

  async run(): Promise<ApiImport> {
    const { metadata, scrapeTargets } = await this.#readAll();
    const targets = [...new Set(this.#indexes.flatMap(({ segments }) => Object.keys(segments)))].sort();
    if (targets.length === 0) this.#throwEmpty();
    const built = this.#buildEndpoints(targets, metadata, scrapeTargets);
    const endpoints = built.map(({ record }) => record);
    const sampled = findSampledRange(endpoints);
    if (!sampled) this.#throwEmpty();
    return { imported: this.#createResult(built, sampled!), state: this.#state };
  }

  get #range(): TimeRange {
    const { from_ms, to_ms } = this.#state.plan;
    return { startNs: toNs(from_ms), endNs: toNs(to_ms) };
  }

  /** Reads everything that is needed from the server. After a failure, the pieces are kept. */
  async #readAll(): Promise<{ readonly metadata: Metadata; readonly scrapeTargets: ScrapeTargets }> {
    const facts = new OptionalReader(this.#client, this.#retryPolicy);
    try {
      await this.#readPieces();
      const [metadata, scrapeTargets] = await Promise.all([readMetadata(facts), readScrapeTargets(facts)]);
      this.#losses.push(...facts.losses);
      return { metadata, scrapeTargets };
    } catch (error) {
      throw this.#keepPieces(error);
    }
  }

  get #retryPolicy(): RetryPolicy {
    const { retryPausesMs = RETRY_PAUSES_MS, signal } = this.#options;
    return { retryPausesMs, signal, onEvent: this.#onEvent };
  }

  async #readPieces(): Promise<void> {
    const total = this.#pieces.length;
    const { used_api: usedApi } = this.#state.plan;
    const api = usedApi ?? this.#options.api;
    if (api !== undefined) this.#reader = createReader(api, this.#client, this.#options.stepMs);
    let continued = 0;
    for (let piece = 0; piece < total; piece++) {
      const complete = this.#readIndex(piece);
      if (complete) continued++;
      else if (continued > 0) this.#onEvent({ type: 'continued', pieces: continued, total });
      if (!complete) continued = 0;
      this.#indexes.push(complete ?? (await this.#readPiece(piece)));
    }
    if (continued > 0) this.#onEvent({ type: 'continued', pieces: continued, total });
  }

  /** Returns the index of a complete piece. Pieces count only if it is known which API they were read from. */
  #readIndex(piece: number): PieceIndex | undefined {
    return this.#state.plan.used_api === undefined ? undefined : readPieceIndex(this.#state.folder, piece);
  }

  async #readPiece(piece: number): Promise<PieceIndex> {
    const { selectors, stepMs } = this.#options;
    const request = {
      ...this.#retryPolicy,
      folder: this.#state.folder,
      piece,
      total: this.#pieces.length,
      range: this.#pieces[piece]!,
      selectors,
    };
    if (this.#reader) {
      const index = await readPiece(this.#reader, request);
      this.#state.recordPiece(this.#reader.api, this.#reader.listLosses());
      return index;
    }
    let index: PieceIndex | undefined;
    const { reader, rejected } = await selectReader(this.#client, stepMs, async candidate => {
      index = await readPiece(candidate, request);
    });
    this.#reader = reader;
    this.#state.recordPiece(reader.api, reader.listLosses());
    this.#onEvent({ type: 'api_selected', api: reader.api, rejected });
    return index!;
  }

  #buildEndpoints(
    targets: readonly string[],
    metadata: Metadata,
    scrapeTargets: ScrapeTargets,
  ): BuiltEndpoint[] {
    const resolver = new FamilyResolver(metadata, this.#options.knownTypes);
    const used = new Set<string>();
    return targets.map((key, index) => {
      const [job, instance] = JSON.parse(key) as [string, string];
      const url = createEndpointUrl(job, instance, scrapeTargets, used);
      used.add(url);
      const target = scrapeTargets.get(key)?.labels;
      const builder = this.#buildEndpoint(key, {
        resolver,
        memory: this.#options.memory,
        job,
        instance,
        target,
      });
      this.#onEvent({ type: 'endpoint_built', endpoints: index + 1, total: targets.length });
      return { record: this.#toRecord(builder, url), builder, job, instance };
    });
  }

  #buildEndpoint(key: string, options: EndpointOptions): EndpointBuilder {
    const builder = new EndpointBuilder(options);
    const { maxDecodedSamples } = this.#options;
    this.#pieces.forEach((range, piece) => {
      const index = this.#indexes[piece]!;
      for (const { fromMs, toMs } of splitBySamples(range, index.samples[key] ?? 0, maxDecodedSamples)) {
        this.#options.signal.throwIfAborted();
        this.#addPiece(builder, readPieceSeries(this.#state.folder, piece, index, key), fromMs, toMs);
      }
    });
    for (const source of builder.placement.typeSources.values()) this.#types[source]++;
    return builder;
  }

  #addPiece(builder: EndpointBuilder, series: Iterable<SpooledSeries>, fromMs: number, toMs: number): void {
    try {
      builder.addPiece(series, fromMs, toMs);
    } catch (error) {
      if (!(error instanceof ChunkError)) throw error;
      this.#state.remove();
      throw new RunInputError(
        `${this.#client.url} sent samples that cannot be decoded: ${error.message}; use --api query-range`,
      );
    }
  }

  #toRecord({ store, health, placement, targetLabels }: EndpointBuilder, url: string): EndpointRecord {
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
      ...(this.#reader?.api === 'query-range' ? { starts } : {}),
    };
  }

  #createResult(built: readonly BuiltEndpoint[], sampled: TimeRange): Imported {
    const { from_ms, to_ms, used_api } = this.#state.plan;
    const info = {
      source: used_api!.replaceAll('-', '_'),
      url: this.#client.url,
      selectors: this.#options.selectors.map(({ text }) => text),
      from_ns: toNs(from_ms),
      to_ns: toNs(to_ms),
      ...(used_api === 'query-range' ? { step_seconds: this.#options.stepMs / 1000 } : {}),
      samples: built.reduce((sum, { builder }) => sum + builder.samples, 0),
      family_types: { ...this.#types },
      limitations: this.#listLimitations(built, sampled),
      targets: Object.fromEntries(built.map(endpoint => [endpoint.record.url, toTarget(endpoint)])),
    };
    return { endpoints: built.map(({ record }) => record), range: this.#range, sampled, info };
  }

  #listLimitations(built: readonly BuiltEndpoint[], sampled: TimeRange): string[] {
    const { from_ms, to_ms } = this.#state.plan;
    const builders = built.map(({ builder }) => builder);
    const moved = sum(builders, builder => builder.moved);
    const ends = sum(
      builders.filter(({ hasUp }) => !hasUp),
      builder => builder.ends,
    );
    const withoutUp = builders.filter(({ hasUp }) => !hasUp).length;
    return [
      ...new Set([...(this.#state.plan.losses ?? []), ...(this.#reader?.listLosses() ?? [])]),
      ...this.#losses,
      ...describeCoverage(from_ms, to_ms, sampled, this.#options.pieceMs),
      ...describeClockSkew(this.#client),
      ...describeTypes(this.#types),
      ...(withoutUp > 0
        ? [
            `the metric up of ${formatCount(withoutUp, 'endpoint')} was not imported: failed scrapes are unknown and are not counted${ends > 0 ? `; all series of an endpoint ended ${formatCount(ends, 'time')}` : ''}`,
          ]
        : []),
      ...(moved > 0
        ? [
            `${formatCount(moved, 'sample')} with explicit timestamps are stored with the time of the scrape that returned them`,
          ]
        : []),
      'response times and sizes of the scrapes are unknown',
    ];
  }

  /** Returns the error that ends an import, with how to continue it. Without a complete piece, there is nothing to keep. */
  #keepPieces(error: unknown): unknown {
    const read = this.#pieces.filter((_, piece) => this.#readIndex(piece)).length;
    if (read === 0) this.#state.remove();
    const isExpected = error instanceof RunInputError || error instanceof ResponseError;
    if (!isExpected) return error;
    const message = error instanceof ResponseError ? `${this.#client.url} ${error.message}` : error.message;
    if (read === 0) return new RunInputError(message);
    return new RunInputError(
      `${message}; ${read} of ${formatCount(this.#pieces.length, 'piece')} of the time range were read, and no exports were written; to continue, run the same command with --artifact-dir ${quoteShellPath(this.#options.folder)}`,
    );
  }

  #throwEmpty(): never {
    const { from_ms, to_ms } = this.#state.plan;
    this.#state.remove();
    const selectors = this.#options.selectors.map(({ text }) => text).join(' ');
    const skew = describeClockSkew(this.#client).map(sentence => `; ${sentence}`);
    throw new RunInputError(
      `${this.#client.url} has no samples that match ${selectors} from ${formatTime(from_ms)} to ${formatTime(to_ms)}; check --match, --from and --to${skew.join('')}`,
    );
  }
}

interface BuiltEndpoint {
  readonly record: EndpointRecord;
  readonly builder: EndpointBuilder;
  readonly job: string;
  readonly instance: string;
}

function toTarget({
  builder,
  job,
  instance,
}: BuiltEndpoint): NonNullable<Imported['info']['targets']>[string] {
  const { job: _, instance: __, ...labels } = Object.fromEntries(builder.targetLabels);
  return { job, instance, labels };
}

/** Splits a range that includes both ends into ranges that do not include their end. */
function splitRange(fromMs: number, toMs: number, pieceMs: number): MsRange[] {
  const pieces: MsRange[] = [];
  for (let start = fromMs; start <= toMs; start += pieceMs)
    pieces.push({ fromMs: start, toMs: Math.min(start + pieceMs, toMs + 1) });
  return pieces;
}

/** Splits a range into parts that have `maxSamples` of its samples at most, if they are evenly distributed. */
function splitBySamples(range: MsRange, samples: number, maxSamples = 2_000_000): MsRange[] {
  const parts = Math.max(1, Math.ceil(samples / maxSamples));
  return splitRange(range.fromMs, range.toMs - 1, Math.ceil((range.toMs - range.fromMs) / parts));
}

/** Minimum time without samples at the start or the end of the range that is reported, in milliseconds. */
const MIN_UNCOVERED_MS = 120_000;

function describeCoverage(fromMs: number, toMs: number, sampled: TimeRange, pieceMs: number): string[] {
  const [firstMs, lastMs] = [nsToMs(sampled.startNs), nsToMs(sampled.endNs)];
  const limit = Math.min(MIN_UNCOVERED_MS, pieceMs);
  if (firstMs - fromMs <= limit && toMs - lastMs <= limit) return [];
  return [
    `the source has samples only from ${formatTime(firstMs)} to ${formatTime(lastMs)}, of the requested range from ${formatTime(fromMs)} to ${formatTime(toMs)}`,
  ];
}

/** Minimum difference of clocks that is reported, in milliseconds. The Date header has a resolution of 1 s. */
const MIN_CLOCK_SKEW_MS = 10_000;

/** Describes the difference between the clocks of the server and of this machine, which determines `now`. */
function describeClockSkew({ clockSkewMs }: ApiClient): string[] {
  if (Math.abs(clockSkewMs) < MIN_CLOCK_SKEW_MS) return [];
  const direction = clockSkewMs > 0 ? 'ahead of' : 'behind';
  const duration = formatDuration(Math.round(Math.abs(clockSkewMs) / 1000));
  return [
    `the clock of the server is ${duration} ${direction} the clock of this machine, which determines relative times and now`,
  ];
}

function describeTypes({ metadata, known_server, name, none }: TypeCounts): string[] {
  const inferred = known_server + name;
  if (inferred + none === 0) return [];
  const known =
    metadata === 0 ? 'the source has no types of metrics' : 'the source has no types of some metrics';
  return [
    `${known}: ${inferred} were inferred from names and known servers, and ${none} are unknown (counted per endpoint)`,
  ];
}

function sum<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}

function toNs(ms: number): bigint {
  return BigInt(Math.round(ms)) * 1_000_000n;
}

function nsToMs(ns: bigint): number {
  return Number(ns / 1_000_000n);
}
