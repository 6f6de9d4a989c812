import { type FileHandle, open } from 'node:fs/promises';
import { ParquetError } from '../error.ts';

/** Random access to the bytes of a file. */
export interface Source {
  readonly size: number;
  /** @throws {ParquetError} if the source ends before `at + length` */
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
    // The caller owns the bytes.
  }
}

/** A file on disk. */
export class FileSource implements Source {
  readonly size: number;
  readonly #file: FileHandle;
  #isClosed = false;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** @throws the file system's error if the file cannot be opened */
  static async open(path: string): Promise<FileSource> {
    const file = await open(path, 'r');
    try {
      return new FileSource(file, (await file.stat()).size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** @throws {ParquetError} if the file ends before `at + length` */
  async read(at: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(length);
    let bytesDone = 0;
    while (bytesDone < length) {
      const { bytesRead } = await this.#file.read(bytes, bytesDone, length - bytesDone, at + bytesDone);
      if (bytesRead === 0) throw new ParquetError('page', `the file ends at byte ${at + bytesDone}`);
      bytesDone += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file.close();
  }
}

/** Limits the total size of the decompressed pages of all columns. */
export class MemoryBudget {
  readonly #limitBytes: number;
  #reservedBytes = 0;

  constructor(limit: number) {
    this.#limitBytes = limit;
  }

  /** @throws {ParquetError} if the limit would be exceeded */
  reserve(bytes: number): void {
    if (this.#reservedBytes + bytes > this.#limitBytes) {
      throw new ParquetError(
        'limit',
        `pages of ${this.#reservedBytes + bytes} bytes would have to be in memory; the limit is ${this.#limitBytes}`,
      );
    }
    this.#reservedBytes += bytes;
  }

  release(bytes: number): void {
    this.#reservedBytes -= bytes;
  }
}
