import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportEventSink } from '../importEvents.ts';
import type { Selector } from '../selector.ts';
import { type PieceIndex, PieceWriter } from '../spool/pieceFile.ts';
import { ApiError } from './apiClient.ts';
import { type MsRange, ResponseError, type SampleReader } from './sampleReader.ts';

/** Pauses before repeated attempts, in milliseconds. */
export const RETRY_PAUSES_MS: readonly number[] = [500, 2000, 5000];
/** Number of series between two progress events. */
const EVENT_SERIES = 2000;

/** A piece of the time range, and how to report its progress. */
export interface PieceRequest {
  readonly folder: string;
  readonly piece: number;
  readonly total: number;
  readonly range: MsRange;
  readonly selectors: readonly Selector[];
  readonly retryPausesMs: readonly number[];
  readonly signal: AbortSignal;
  readonly onEvent: ImportEventSink;
}

/** Reads a piece into its file. Transient failures are retried a few times. */
export async function readPiece(reader: SampleReader, request: PieceRequest): Promise<PieceIndex> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await readPieceOnce(reader, request);
    } catch (error) {
      const pauseMs = request.retryPausesMs[attempt];
      const isTransient = error instanceof ApiError ? error.isTransient : error instanceof ResponseError;
      if (pauseMs === undefined || !isTransient || request.signal.aborted) throw error;
      request.onEvent({ type: 'retried', message: (error as Error).message });
      await sleep(pauseMs, undefined, { signal: request.signal });
    }
  }
}

async function readPieceOnce(reader: SampleReader, request: PieceRequest): Promise<PieceIndex> {
  const { folder, piece, total, range, selectors, signal, onEvent } = request;
  const writer = new PieceWriter(folder, piece);
  const report = (): void =>
    onEvent({ type: 'read', pieces: piece, total, series: writer.series, bytes: writer.bytes });
  try {
    for (const selector of selectors)
      await reader.read(
        selector,
        range,
        series => {
          writer.add(series);
          if (writer.series % EVENT_SERIES === 0) report();
        },
        signal,
      );
  } catch (error) {
    writer.abandon();
    throw error;
  }
  const index = writer.complete();
  onEvent({ type: 'read', pieces: piece + 1, total, series: index.series, bytes: index.bytes });
  return index;
}
