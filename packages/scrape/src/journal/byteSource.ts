import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { JournalError } from './format.ts';

/** Initial size of the read buffer, in bytes. */
const CHUNK_BYTES = 1 << 16;

/** A source of bytes that is read sequentially. A file is read in chunks and need not fit in memory. */
export interface ByteSource {
  /** Total size, in bytes. */
  readonly size: number;
  /**
   * Returns the unread bytes in memory: at least `count`, or fewer at the end of the source. The result is
   * valid until the next call. A huge `count` from a damaged file is harmless: memory is only allocated for
   * bytes that exist.
   */
  peek(count: number): Uint8Array;
  /** Marks `count` bytes as read. */
  advance(count: number): void;
  close(): void;
}

/** Returns a source that reads from an array of bytes. */
export function openBytes(bytes: Uint8Array): ByteSource {
  let offset = 0;
  return {
    size: bytes.length,
    peek: () => bytes.subarray(offset),
    advance: count => {
      offset += count;
    },
    close: () => {},
  };
}

/**
 * Opens a file as a source. Throws `JournalError` if it is not a regular file, and the system error of `node:fs` on
 * failure.
 */
export function openFile(path: string): GrowingSource {
  return new FileSource(path);
}

/** A source whose file a writer appends to. */
export interface GrowingSource extends ByteSource {
  /**
   * Looks for appended bytes, and forgets the unread bytes in memory, which the writer may have replaced. Returns false
   * if the file has become shorter than what has been read.
   */
  refresh(): boolean;
}

class FileSource implements GrowingSource {
  #size: number;
  readonly #file: number;
  /** Position in the file after the last byte in the buffer. */
  #position = 0;
  #buffer = new Uint8Array(CHUNK_BYTES);
  // The range of the unread bytes in the buffer.
  #start = 0;
  #end = 0;
  #isAtEnd = false;

  constructor(path: string) {
    // Opening a device may have side effects, and opening a named pipe waits for a writer.
    if (!statSync(path).isFile()) throw createTypeError(path);
    this.#file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(this.#file);
    if (!stats.isFile()) {
      closeSync(this.#file);
      throw createTypeError(path);
    }
    this.#size = stats.size;
  }

  get size(): number {
    return this.#size;
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

  refresh(): boolean {
    this.#position -= this.#end - this.#start;
    this.#end = this.#start;
    this.#isAtEnd = false;
    this.#size = fstatSync(this.#file).size;
    return this.#size >= this.#position;
  }

  #read(): void {
    if (this.#end === this.#buffer.length) this.#compact();
    const count = readSync(
      this.#file,
      this.#buffer,
      this.#end,
      this.#buffer.length - this.#end,
      this.#position,
    );
    this.#end += count;
    this.#position += count;
    this.#isAtEnd = count === 0;
  }

  /**
   * Moves the unread bytes to the front of the buffer. If they fill more than half of the buffer, doubles its
   * size first.
   */
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

function createTypeError(path: string): JournalError {
  return new JournalError(`cannot read the journal ${path}: not a regular file`);
}
