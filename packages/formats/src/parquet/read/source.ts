import { type FileHandle, open } from 'node:fs/promises';
import { ParquetError } from '../error.ts';

/** Bytes that are read in pieces, wherever they lie. */
export interface Source {
  readonly size: number;
  /** @throws {ParquetError} when the source ends before */
  read(at: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A file in memory. */
export class ByteSource implements Source {
  readonly size: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.size = bytes.length;
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    if (at + length > this.size) throw new ParquetError('page', `the file ends at byte ${this.size}`);
    return this.#bytes.subarray(at, at + length);
  }

  async close(): Promise<void> {
    // Nothing is held that the caller does not hold.
  }
}

/** A file on disk. */
export class FileSource implements Source {
  readonly size: number;
  readonly #file: FileHandle;
  #closed = false;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** @throws the file system's error when the file cannot be opened */
  static async open(path: string): Promise<FileSource> {
    const file = await open(path, 'r');
    try {
      return new FileSource(file, (await file.stat()).size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** @throws {ParquetError} when the file ends before */
  async read(at: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, at + done);
      if (bytesRead === 0) throw new ParquetError('page', `the file ends at byte ${at + done}`);
      done += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#file.close();
  }
}

/** Bytes that all columns of a reader may hold unpacked at the same time. */
export class MemoryBudget {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws {ParquetError} when `bytes` more would be too many */
  take(bytes: number): void {
    if (this.#held + bytes > this.#limit) {
      throw new ParquetError(
        'limit',
        `pages with ${this.#held + bytes} bytes would have to be held at once, ${this.#limit} are allowed`,
      );
    }
    this.#held += bytes;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}
