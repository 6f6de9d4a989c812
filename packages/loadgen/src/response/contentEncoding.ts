import type { Transform } from 'node:stream';
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib';
import { createFailure } from '../failure.ts';
import type { BodyReader, ParsedResponse } from './response.ts';

/** Decoders by content-encoding. `flush: 2` (Z_SYNC_FLUSH) outputs each write at once. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createUnzip({ flush: 2 }),
  'x-gzip': () => createUnzip({ flush: 2 }),
  deflate: () => createInflate({ flush: 2 }),
  br: () => createBrotliDecompress(),
};

/**
 * Wraps a reader so that it receives decompressed bytes; returns the reader itself if the body is not
 * compressed. An unknown content-encoding fails the response.
 */
export function decompress(encoding: string, reader: BodyReader, response: ParsedResponse): BodyReader {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return reader;
  const create = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (create) return new DecompressingReader(create(), reader, response);
  const supported = Object.keys(DECODERS).join(', ');
  response.fail(
    createFailure('ContentEncoding', `content-encoding is ${JSON.stringify(name)}; expected ${supported}`),
  );
  return reader;
}

/**
 * Decompresses a body that the server compressed although it was requested uncompressed. Reads are decompressed
 * one at a time, so that decompressed bytes keep the arrival time of their read.
 */
class DecompressingReader implements BodyReader {
  readonly #stream: Transform;
  readonly #reader: BodyReader;
  #lastWrite: Promise<void> = Promise.resolve();
  #atNs = 0;
  #isBroken = false;

  constructor(stream: Transform, reader: BodyReader, response: ParsedResponse) {
    this.#stream = stream;
    this.#reader = reader;
    stream.on('data', (bytes: Buffer) => reader.readBytes(this.#atNs, bytes));
    stream.on('error', error => {
      this.#isBroken = true;
      response.fail(
        createFailure('ContentEncoding', `cannot decompress the response body: ${error.message}`),
      );
    });
  }

  readBytes(atNs: number, bytes: Uint8Array): void {
    this.#lastWrite = this.#lastWrite.then(() => this.#write(atNs, bytes));
  }

  end(isComplete: boolean, done: () => void): void {
    void this.#lastWrite
      .then(() => (isComplete ? this.#finish() : undefined))
      .then(() => {
        this.#stream.destroy();
        this.#reader.end(isComplete && !this.#isBroken, done);
      });
  }

  /** Ends the stream, which reports a truncated body. */
  #finish(): Promise<void> {
    if (this.#isBroken) return Promise.resolve();
    return new Promise(resolve => {
      this.#stream.once('close', resolve);
      this.#stream.end();
    });
  }

  #write(atNs: number, bytes: Uint8Array): Promise<void> {
    if (this.#isBroken) return Promise.resolve();
    this.#atNs = atNs;
    // The callback runs after all output of this write has been emitted. A broken stream emits 'close' instead.
    return new Promise(resolve => {
      this.#stream.once('close', resolve);
      this.#stream.write(bytes, () => {
        this.#stream.off('close', resolve);
        setImmediate(resolve);
      });
    });
  }
}
