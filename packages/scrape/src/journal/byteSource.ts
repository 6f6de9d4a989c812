import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes that are read from a file at once. */
const CHUNK_BYTES = 1 << 16;

/** The bytes of a journal, from its beginning; only what is asked for is in memory. */
export interface Source {
  /** How many bytes there are in all. */
  readonly size: number;
  /**
   * The next bytes, not yet passed: at least `count` of them, or all that are left when there are fewer. Valid until the
   * next call. Memory grows with what there is, not with what is asked for.
   */
  peek(count: number): Uint8Array;
  advance(count: number): void;
  close(): void;
}

export function openBytes(bytes: Uint8Array): Source {
  let at = 0;
  return {
    size: bytes.length,
    peek: () => bytes.subarray(at),
    advance: count => {
      at += count;
    },
    close: () => {},
  };
}

/** Throws the error of `node:fs` for a file that cannot be opened or read. */
export function openFile(path: string): Source {
  return new FileSource(path);
}

class FileSource implements Source {
  readonly size: number;
  readonly #file: number;
  #buffer = new Uint8Array(CHUNK_BYTES);
  /** Where the unread bytes are in the buffer. */
  #start = 0;
  #end = 0;
  #isAtEnd = false;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.size = fstatSync(this.#file).size;
  }

  peek(count: number): Uint8Array {
    while (this.#end - this.#start < count && !this.#isAtEnd) this.#read();
    return this.#buffer.subarray(this.#start, this.#end);
  }

  advance(count: number): void {
    this.#start += count;
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(): void {
    if (this.#end === this.#buffer.length) this.#compact();
    const count = readSync(this.#file, this.#buffer, this.#end, this.#buffer.length - this.#end, null);
    this.#end += count;
    this.#isAtEnd = count === 0;
  }

  /** Moves the unread bytes to the front; into a larger buffer when they fill more than half of it. */
  #compact(): void {
    const unread = this.#buffer.subarray(this.#start, this.#end);
    const isOverHalfFull = unread.length > this.#buffer.length / 2;
    const target = isOverHalfFull ? new Uint8Array(2 * this.#buffer.length) : this.#buffer;
    target.set(unread);
    this.#buffer = target;
    this.#start = 0;
    this.#end = unread.length;
  }
}
