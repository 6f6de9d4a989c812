import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { formatTargetKey } from '../api/metadata.ts';
import { countSamples, getLabel, type StoredSeries } from '../series.ts';
import { decodeSeries, encodeSeries, type SpooledSeries } from './seriesCodec.ts';
import { attemptWrite } from './writeErrors.ts';

/** A part of a file: offset and length in bytes. */
type Segment = readonly [offset: number, length: number];

/** The contents of a complete piece. */
export interface PieceIndex {
  readonly series: number;
  readonly bytes: number;
  /** The parts of the file by endpoint. */
  readonly segments: Readonly<Record<string, readonly Segment[]>>;
  /** Number of samples by endpoint. */
  readonly samples: Readonly<Record<string, number>>;
}

/** Maximum size of the series that are held in memory before they are written. */
const MAX_BUFFERED_BYTES = 24 * 1024 ** 2;

/** Paths of a piece: the series, and the index that exists only for a complete piece. */
function getPaths(folder: string, piece: number): { readonly data: string; readonly index: string } {
  const stem = join(folder, `piece-${String(piece + 1).padStart(5, '0')}`);
  return { data: `${stem}.data`, index: `${stem}.json` };
}

/**
 * Writes the series of one time range to a file, grouped by endpoint, so that they can be read endpoint by endpoint. The
 * piece counts only after `complete`. All methods throw `RunInputError` if the file cannot be written.
 */
export class PieceWriter {
  readonly #paths: ReturnType<typeof getPaths>;
  readonly #file: number;
  readonly #pending = new Map<string, Buffer[]>();
  readonly #segments: Record<string, Segment[]> = {};
  readonly #samples: Record<string, number> = {};
  #pendingBytes = 0;
  #offset = 0;
  #series = 0;

  constructor(folder: string, piece: number) {
    this.#paths = getPaths(folder, piece);
    this.#file = attemptWrite(this.#paths.data, () => openSync(this.#paths.data, 'w'));
  }

  /** Number of series so far, and of bytes including those in memory. */
  get series(): number {
    return this.#series;
  }

  get bytes(): number {
    return this.#offset + this.#pendingBytes;
  }

  add(series: StoredSeries): void {
    const endpoint = formatTargetKey(getLabel(series.labels, 'job'), getLabel(series.labels, 'instance'));
    const encoded = encodeSeries(series);
    const pending = this.#pending.get(endpoint);
    if (pending) pending.push(encoded);
    else this.#pending.set(endpoint, [encoded]);
    const samples = series.blocks.reduce((sum, block) => sum + countSamples(block), 0);
    this.#samples[endpoint] = (this.#samples[endpoint] ?? 0) + samples;
    this.#series++;
    this.#pendingBytes += encoded.length;
    if (this.#pendingBytes >= MAX_BUFFERED_BYTES) this.#flush();
  }

  /** Closes the file, and marks the piece as complete. */
  complete(): PieceIndex {
    this.#flush();
    attemptWrite(this.#paths.data, () => fsyncSync(this.#file));
    const index: PieceIndex = {
      series: this.#series,
      bytes: this.#offset,
      segments: this.#segments,
      samples: this.#samples,
    };
    const { index: path } = this.#paths;
    attemptWrite(path, () => {
      writeFileSync(`${path}.tmp`, JSON.stringify(index));
      renameSync(`${path}.tmp`, path);
    });
    closeSync(this.#file);
    return index;
  }

  /** Removes the file of a piece that was not read completely. Its space may be needed for the rest of the disk's files. */
  abandon(): void {
    closeSync(this.#file);
    rmSync(this.#paths.data, { force: true });
    rmSync(`${this.#paths.index}.tmp`, { force: true });
  }

  #flush(): void {
    for (const [endpoint, buffers] of this.#pending) {
      const bytes = Buffer.concat(buffers);
      attemptWrite(this.#paths.data, () => writeFully(this.#file, bytes));
      const segments = this.#segments[endpoint] ?? [];
      this.#segments[endpoint] = segments;
      segments.push([this.#offset, bytes.length]);
      this.#offset += bytes.length;
    }
    this.#pending.clear();
    this.#pendingBytes = 0;
  }
}

/** Writes all bytes. One call may write only a part of them, for example until the disk is full. */
function writeFully(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Reads the index of a complete piece; undefined if the piece is not complete. */
export function readPieceIndex(folder: string, piece: number): PieceIndex | undefined {
  try {
    return JSON.parse(readFileSync(getPaths(folder, piece).index, 'utf8')) as PieceIndex;
  } catch {
    return undefined;
  }
}

/** Reads the series of an endpoint in a piece. */
export function* readPieceSeries(
  folder: string,
  piece: number,
  { segments }: PieceIndex,
  endpoint: string,
): Generator<SpooledSeries> {
  const parts = segments[endpoint] ?? [];
  if (parts.length === 0) return;
  const file = openSync(getPaths(folder, piece).data, 'r');
  try {
    for (const [offset, length] of parts) {
      const bytes = Buffer.allocUnsafe(length);
      const read = readSync(file, bytes, 0, length, offset);
      if (read !== length)
        throw new Error(`cannot read ${getPaths(folder, piece).data}: the file is truncated`);
      yield* decodeSeries(bytes);
    }
  } finally {
    closeSync(file);
  }
}
