import type { Selector } from '../selector.ts';
import { type PieceIndex, readPieceIndex } from '../spool/pieceFile.ts';
import type { ImportState } from '../state/importState.ts';
import type { ApiClient } from './apiClient.ts';
import { type PieceRequest, readPiece } from './pieceReader.ts';
import type { RetryPolicy } from './retry.ts';
import type { Api, MsRange, SampleReader } from './sampleReader.ts';
import { createReader, selectReader } from './selectReader.ts';
import { splitRange } from './splitRange.ts';

/** Series to read, and how to read them. */
export interface ReadOptions extends RetryPolicy {
  /** The API to use; the most complete one that the server has by default. */
  readonly api?: Api | undefined;
  readonly selectors: readonly Selector[];
  /** Length of a piece of the range, which is requested at once, in milliseconds. */
  readonly pieceMs: number;
  /** Step of range queries, in milliseconds. */
  readonly stepMs: number;
}

/** Reads the time range of an import into pieces on disk. A read that was interrupted continues with its missing pieces. */
export class ResumableRead {
  /** The time ranges of the pieces. */
  readonly ranges: readonly MsRange[];
  readonly #client: ApiClient;
  readonly #state: ImportState;
  readonly #options: ReadOptions;
  #reader: SampleReader | undefined;

  constructor(client: ApiClient, state: ImportState, options: ReadOptions) {
    this.#client = client;
    this.#state = state;
    this.#options = options;
    const { from_ms, to_ms } = state.plan;
    this.ranges = splitRange(from_ms, to_ms, options.pieceMs);
  }

  /** Number of pieces that are complete. */
  get completed(): number {
    return this.ranges.filter((_, piece) => this.#readIndex(piece)).length;
  }

  /** Returns sentences about samples that could not be imported. */
  listLosses(): string[] {
    return [...new Set([...(this.#state.plan.losses ?? []), ...(this.#reader?.listLosses() ?? [])])];
  }

  /** Reads the pieces that are not complete, and returns the indexes of all pieces. */
  async run(): Promise<readonly PieceIndex[]> {
    const { onEvent, stepMs } = this.#options;
    const total = this.ranges.length;
    const api = this.#state.plan.used_api ?? this.#options.api;
    if (api !== undefined) this.#reader = createReader(api, this.#client, stepMs);
    const indexes: PieceIndex[] = [];
    let continued = 0;
    for (let piece = 0; piece < total; piece++) {
      const complete = this.#readIndex(piece);
      if (complete) continued++;
      else if (continued > 0) onEvent({ type: 'continued', pieces: continued, total });
      if (!complete) continued = 0;
      indexes.push(complete ?? (await this.#readPiece(piece)));
    }
    if (continued > 0) onEvent({ type: 'continued', pieces: continued, total });
    return indexes;
  }

  /** Returns the index of a complete piece. Pieces count only if it is known which API they were read from. */
  #readIndex(piece: number): PieceIndex | undefined {
    return this.#state.plan.used_api === undefined ? undefined : readPieceIndex(this.#state.folder, piece);
  }

  async #readPiece(piece: number): Promise<PieceIndex> {
    const request = this.#createRequest(piece);
    if (!this.#reader) return await this.#readFirst(request);
    const index = await readPiece(this.#reader, request);
    this.#state.recordPiece(this.#reader.api, this.#reader.listLosses());
    return index;
  }

  #createRequest(piece: number): PieceRequest {
    const { retryPausesMs, signal, onEvent, selectors } = this.#options;
    return {
      retryPausesMs,
      signal,
      onEvent,
      folder: this.#state.folder,
      piece,
      total: this.ranges.length,
      range: this.ranges[piece]!,
      selectors,
    };
  }

  /** Reads a piece with the most complete API that the server has, which is then used for the other pieces. */
  async #readFirst(request: PieceRequest): Promise<PieceIndex> {
    const { stepMs, onEvent } = this.#options;
    let index: PieceIndex | undefined;
    const { reader, rejected } = await selectReader(this.#client, stepMs, async candidate => {
      index = await readPiece(candidate, request);
    });
    this.#reader = reader;
    this.#state.recordPiece(reader.api, reader.listLosses());
    onEvent({ type: 'api_selected', api: reader.api, rejected });
    return index!;
  }
}
