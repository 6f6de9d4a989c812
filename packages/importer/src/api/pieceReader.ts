import type { Selector } from '../selector.ts';
import { type PieceIndex, PieceWriter } from '../spool/pieceFile.ts';
import { type RetryPolicy, retryTransient } from './retry.ts';
import type { MsRange, SampleReader } from './sampleReader.ts';

/** Number of series between two progress events. */
const EVENT_SERIES = 2000;

/** A piece of the time range, and how to report its progress. */
export interface PieceRequest extends RetryPolicy {
  readonly folder: string;
  readonly piece: number;
  readonly total: number;
  readonly range: MsRange;
  readonly selectors: readonly Selector[];
}

/** Reads a piece into its file. Transient failures are retried a few times. */
export function readPiece(reader: SampleReader, request: PieceRequest): Promise<PieceIndex> {
  return retryTransient(request, () => readPieceOnce(reader, request));
}

async function readPieceOnce(reader: SampleReader, request: PieceRequest): Promise<PieceIndex> {
  const { folder, piece, total, range, selectors, signal, onEvent } = request;
  const writer = new PieceWriter(folder, piece);
  const report = (): void =>
    onEvent({ type: 'read', pieces: piece, total, series: writer.series, bytes: writer.bytes });
  let index: PieceIndex;
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
    index = writer.complete();
  } catch (error) {
    writer.abandon();
    throw error;
  }
  onEvent({ type: 'read', pieces: piece + 1, total, series: index.series, bytes: index.bytes });
  return index;
}
