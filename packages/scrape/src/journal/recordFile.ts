import { describeSystemError } from '@org/core';
import type { JournalFileSystem } from './fileSystem.ts';

/** An operation of the file system failed. */
export class WriteError extends Error {
  override readonly name: string = 'WriteError';
}

/**
 * An append-only file of complete records. A partially written record is truncated, so that the file ends
 * with a complete one.
 */
export class RecordFile {
  readonly path: string;
  readonly #files: JournalFileSystem;
  #file: number | undefined;
  #isCreated = false;
  /** True if a partial record may follow the last complete one. */
  #hasPartialRecord = false;
  /** Length of the complete records, and of the part known to be on disk. */
  #length = 0;
  #synced = 0;

  constructor(path: string, files: JournalFileSystem) {
    this.path = path;
    this.#files = files;
  }

  get length(): number {
    return this.#length;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  get isSynced(): boolean {
    return this.#synced === this.#length;
  }

  /** Creates the file. Throws `WriteError`. */
  create(): void {
    this.#file = this.#try(() => this.#files.create(this.path));
    this.#isCreated = true;
  }

  /**
   * Appends bytes completely or not at all. Throws `WriteError`; the next call then truncates the partial
   * record first.
   */
  append(bytes: Uint8Array): void {
    if (this.#hasPartialRecord) this.truncate();
    this.#hasPartialRecord = true;
    this.#try(() => {
      for (let at = 0; at < bytes.length; ) {
        const written = this.#files.write(this.#file!, bytes, at, bytes.length, this.#length + at);
        if (written === 0) throw new Error('no bytes could be written');
        at += written;
      }
    });
    this.#hasPartialRecord = false;
    this.#length += bytes.length;
  }

  /** Truncates the file after its last complete record. Throws `WriteError`. */
  truncate(): void {
    this.#try(() => this.#files.truncate(this.#file!, this.#length));
    this.#hasPartialRecord = false;
  }

  /** Truncates a partial record, if any. If that fails, the next append retries it. */
  truncatePartial(): void {
    if (this.#file === undefined || !this.#hasPartialRecord) return;
    try {
      this.truncate();
    } catch {
      // the next append retries and reports the error
    }
  }

  /** Syncs the file to disk and returns the synced length. Rejects with `WriteError`. */
  async sync(): Promise<number> {
    const length = this.#length;
    try {
      await this.#files.sync(this.#file!);
      if (this.#synced === 0) await this.#files.syncFolder(this.path);
    } catch (error) {
      throw toWriteError(error);
    }
    this.#synced = length;
    return length;
  }

  /** Discards the data that is not known to be on disk. */
  rewind(): void {
    this.#length = this.#synced;
    this.#hasPartialRecord = true;
  }

  /** Removes the file if it was created. Throws the error of the file system. */
  remove(): void {
    if (this.#isCreated) this.#files.remove(this.path);
  }

  /** Closes the file, ignoring errors. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) await this.#files.close(file).catch(() => {});
  }

  #try<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw toWriteError(error);
    }
  }
}

function toWriteError(error: unknown): WriteError {
  return new WriteError(describeSystemError(error), { cause: error });
}
