import type { Transform } from 'node:stream';
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib';
import { failure } from '../failure.ts';
import type { Answer, BodyReader } from './response.ts';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createUnzip({ flush: 2, finishFlush: 2 }),
  'x-gzip': () => createUnzip({ flush: 2, finishFlush: 2 }),
  deflate: () => createInflate({ flush: 2, finishFlush: 2 }),
  br: () => createBrotliDecompress(),
};

/** The reader behind a content-encoding; the reader itself when there is none. Fails the answer for one that is unknown. */
export function decoded(encoding: string, reader: BodyReader, answer: Answer): BodyReader {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return reader;
  const make = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (make) return new InflatedReader(make(), reader, answer);
  const known = Object.keys(DECODERS).join(', ');
  answer.fail(failure('ContentEncoding', `content-encoding is ${JSON.stringify(name)}; expected ${known}`));
  return reader;
}

/**
 * Decompresses a body that came compressed although nobody had asked for that. Reads are decompressed one by one, so that
 * what comes out of one keeps the time at which it arrived.
 */
class InflatedReader implements BodyReader {
  readonly #stream: Transform;
  readonly #reader: BodyReader;
  #work: Promise<void> = Promise.resolve();
  #atNs = 0;
  #isBroken = false;

  constructor(stream: Transform, reader: BodyReader, answer: Answer) {
    this.#stream = stream;
    this.#reader = reader;
    stream.on('data', (bytes: Buffer) => reader.bytes(this.#atNs, bytes));
    stream.on('error', error => {
      this.#isBroken = true;
      answer.fail(failure('ContentEncoding', `the body cannot be decompressed: ${error.message}`));
    });
  }

  bytes(atNs: number, bytes: Uint8Array): void {
    this.#work = this.#work.then(() => this.#write(atNs, bytes));
  }

  end(isComplete: boolean, done: () => void): void {
    void this.#work.then(() => {
      this.#stream.destroy();
      this.#reader.end(isComplete && !this.#isBroken, done);
    });
  }

  #write(atNs: number, bytes: Uint8Array): Promise<void> {
    if (this.#isBroken) return Promise.resolve();
    this.#atNs = atNs;
    // The callback comes when everything that this write gives has been emitted; a broken stream only closes.
    return new Promise(resolve => {
      this.#stream.once('close', resolve);
      this.#stream.write(bytes, () => {
        this.#stream.off('close', resolve);
        setImmediate(resolve);
      });
    });
  }
}
