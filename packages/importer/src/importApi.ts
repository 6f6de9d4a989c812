import { formatCount, quoteShellPath, type StoreMemory } from '@org/core';
import { RunInputError, type TimeRange } from '@org/record';
import type { Target } from '@org/scrape';
import { ApiClient } from './api/apiClient.ts';
import { type Metadata, readMetadata, readScrapeTargets, type ScrapeTargets } from './api/metadata.ts';
import { OptionalReader } from './api/optionalReader.ts';
import { ResumableRead } from './api/resumableRead.ts';
import { RETRY_PAUSES_MS, type RetryPolicy } from './api/retry.ts';
import { type Api, ResponseError } from './api/sampleReader.ts';
import { type BuiltEndpoint, buildEndpoints } from './endpoint/buildEndpoints.ts';
import { FamilyResolver, type KnownTypes } from './families/familyResolver.ts';
import type { ImportEventSink } from './importEvents.ts';
import { findSampledRange, type Imported, type TypeCounts } from './imported.ts';
import { describeClockSkew, listLimitations } from './limitations.ts';
import { ChunkError } from './remoteRead/xorChunk.ts';
import type { Selector } from './selector.ts';
import type { PieceIndex } from './spool/pieceFile.ts';
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

/** Everything that an import reads from a server. */
interface ReadData {
  readonly indexes: readonly PieceIndex[];
  readonly metadata: Metadata;
  readonly scrapeTargets: ScrapeTargets;
  /** Sentences about facts that could not be read. */
  readonly losses: readonly string[];
}

class ApiImporter {
  readonly #client: ApiClient;
  readonly #options: ApiImportOptions;
  readonly #retryPolicy: RetryPolicy;
  readonly #state: ImportState;
  readonly #read: ResumableRead;

  constructor(client: ApiClient, options: ApiImportOptions) {
    this.#client = client;
    this.#options = options;
    const { retryPausesMs = RETRY_PAUSES_MS, signal, onEvent = () => {} } = options;
    this.#retryPolicy = { retryPausesMs, signal, onEvent };
    this.#state = openState(client, options);
    this.#read = new ResumableRead(client, this.#state, { ...options, ...this.#retryPolicy });
  }

  async run(): Promise<ApiImport> {
    const data = await this.#readAll();
    const built = this.#buildEndpoints(data);
    const sampled = findSampledRange(built.map(({ record }) => record));
    if (!sampled) throw this.#createEmptyError();
    return { imported: this.#createResult(built, sampled, data.losses), state: this.#state };
  }

  /** Reads everything that is needed from the server. After a failure, the pieces are kept. */
  async #readAll(): Promise<ReadData> {
    const facts = new OptionalReader(this.#client, this.#retryPolicy);
    try {
      const indexes = await this.#read.run();
      const [metadata, scrapeTargets] = await Promise.all([readMetadata(facts), readScrapeTargets(facts)]);
      return { indexes, metadata, scrapeTargets, losses: facts.losses };
    } catch (error) {
      throw this.#keepPieces(error);
    }
  }

  #buildEndpoints({ indexes, metadata, scrapeTargets }: ReadData): BuiltEndpoint[] {
    const { knownTypes, memory, maxDecodedSamples } = this.#options;
    const { signal, onEvent } = this.#retryPolicy;
    const { folder, plan } = this.#state;
    try {
      return buildEndpoints(
        { folder, ranges: this.#read.ranges, indexes },
        {
          api: plan.used_api!,
          resolver: new FamilyResolver(metadata, knownTypes),
          scrapeTargets,
          memory,
          maxDecodedSamples,
          signal,
          onEvent,
        },
      );
    } catch (error) {
      if (!(error instanceof ChunkError)) throw error;
      this.#state.remove();
      throw new RunInputError(
        `${this.#client.url} sent samples that cannot be decoded: ${error.message}; use --api query-range`,
      );
    }
  }

  #createResult(built: readonly BuiltEndpoint[], sampled: TimeRange, losses: readonly string[]): Imported {
    const { from_ms: fromMs, to_ms: toMs, used_api: api } = this.#state.plan;
    const { selectors, stepMs, pieceMs } = this.#options;
    const { url, clockSkewMs } = this.#client;
    const builders = built.map(({ builder }) => builder);
    const types = countTypes(built);
    const range = { startNs: toNs(fromMs), endNs: toNs(toMs) };
    const info = {
      source: api!.replaceAll('-', '_'),
      url,
      selectors: selectors.map(({ text }) => text),
      from_ns: range.startNs,
      to_ns: range.endNs,
      ...(api === 'query-range' ? { step_seconds: stepMs / 1000 } : {}),
      samples: builders.reduce((sum, { samples }) => sum + samples, 0),
      family_types: { ...types },
      limitations: [
        ...this.#read.listLosses(),
        ...losses,
        ...listLimitations({ fromMs, toMs, pieceMs, sampled, endpoints: builders, types, clockSkewMs }),
      ],
      targets: Object.fromEntries(built.map(endpoint => [endpoint.record.url, toTarget(endpoint)])),
    };
    return { endpoints: built.map(({ record }) => record), range, sampled, info };
  }

  /** Returns the error that ends an import, with how to continue it. Without a complete piece, there is nothing to keep. */
  #keepPieces(error: unknown): unknown {
    const read = this.#read.completed;
    if (read === 0) this.#state.remove();
    const isExpected = error instanceof RunInputError || error instanceof ResponseError;
    if (!isExpected) return error;
    const message = error instanceof ResponseError ? `${this.#client.url} ${error.message}` : error.message;
    if (read === 0) return new RunInputError(message);
    return new RunInputError(
      `${message}; ${read} of ${formatCount(this.#read.ranges.length, 'piece')} of the time range were read, and no exports were written; to continue, run the same command with --artifact-dir ${quoteShellPath(this.#options.folder)}`,
    );
  }

  /** Removes the pieces, and returns the error of an import without samples. */
  #createEmptyError(): RunInputError {
    const { from_ms, to_ms } = this.#state.plan;
    this.#state.remove();
    const selectors = this.#options.selectors.map(({ text }) => text).join(' ');
    const skew = describeClockSkew(this.#client.clockSkewMs).map(sentence => `; ${sentence}`);
    return new RunInputError(
      `${this.#client.url} has no samples that match ${selectors} from ${formatTime(from_ms)} to ${formatTime(to_ms)}; check --match, --from and --to${skew.join('')}`,
    );
  }
}

/** Starts an import in its folder, or continues it. */
function openState(client: ApiClient, options: ApiImportOptions): ImportState {
  const { selectors, from, to, api = 'auto', pieceMs, stepMs, folder } = options;
  return ImportState.open(folder, {
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
}

/** Counts the types of metrics by their origin. */
function countTypes(built: readonly BuiltEndpoint[]): TypeCounts {
  const types: TypeCounts = { metadata: 0, known_server: 0, name: 0, none: 0 };
  for (const { builder } of built)
    for (const source of builder.placement.typeSources.values()) types[source]++;
  return types;
}

function toTarget({
  builder,
  job,
  instance,
}: BuiltEndpoint): NonNullable<Imported['info']['targets']>[string] {
  const { job: _, instance: __, ...labels } = Object.fromEntries(builder.targetLabels);
  return { job, instance, labels };
}

function toNs(ms: number): bigint {
  return BigInt(Math.round(ms)) * 1_000_000n;
}
