import { describeSystemError } from '@org/core';
import type { JournalFileSystem } from './fileSystem.ts';

/** Error thrown if a file operation fails. `cause` is the system error. */
export class WriteError extends Error {
  override readonly name: string = 'WriteError';
}

/**
 * An append-only file of records. A partially written record is removed before the next one is appended.
 */
export class RecordFile {
  readonly path: string;
  readonly #fileSystem: JournalFileSystem;
  #file: number | undefined;
  #isCreated = false;
  /** True if a partial record may follow the last complete record. */
  #hasPartialRecord = false;
  /** Total size of the complete records, in bytes. */
  #length = 0;
  /** Size of the part of the file that is known to be on disk, in bytes. */
  #syncedLength = 0;

  constructor(path: string, files: JournalFileSystem) {
    this.path = path;
    this.#fileSystem = files;
  }

  /** Total size of the complete records, in bytes. */
  get length(): number {
    return this.#length;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** True if all complete records are known to be on disk. */
  get isSynced(): boolean {
    return this.#syncedLength === this.#length;
  }

  /** Creates the file. Throws `WriteError` on failure. */
  create(): void {
    this.#file = this.#try(() => this.#fileSystem.create(this.path));
    this.#isCreated = true;
  }

  /**
   * Appends a record. Throws `WriteError` on failure; the next call then first removes the partial record.
   */
  append(bytes: Uint8Array): void {
    if (this.#hasPartialRecord) this.truncate();
    this.#hasPartialRecord = true;
    this.#try(() => {
      for (let offset = 0; offset < bytes.length; ) {
        const writtenBytes = this.#fileSystem.write(
          this.#file!,
          bytes,
          offset,
          bytes.length,
          this.#length + offset,
        );
        if (writtenBytes === 0) throw new Error('no bytes could be written');
        offset += writtenBytes;
      }
    });
    this.#hasPartialRecord = false;
    this.#length += bytes.length;
  }

  /** Truncates the file after its last complete record. Throws `WriteError` on failure. */
  truncate(): void {
    this.#try(() => this.#fileSystem.truncate(this.#file!, this.#length));
    this.#hasPartialRecord = false;
  }

  /** Removes a partial record, if there is one. If that fails, the next append retries. */
  truncatePartial(): void {
    if (this.#file === undefined || !this.#hasPartialRecord) return;
    try {
      this.truncate();
    } catch {
      // the next append retries and reports the error
    }
  }

  /** Syncs the file to disk. Resolves to the synced length; rejects with `WriteError` on failure. */
  async sync(): Promise<number> {
    const length = this.#length;
    try {
      await this.#fileSystem.sync(this.#file!);
      if (this.#syncedLength === 0) await this.#fileSystem.syncFolder(this.path);
    } catch (error) {
      throw toWriteError(error);
    }
    this.#syncedLength = length;
    return length;
  }

  /** Discards all records that are not known to be on disk. */
  rewind(): void {
    this.#length = this.#syncedLength;
    this.#hasPartialRecord = true;
  }

  /** Removes the file if `create` has created it. Throws the system error on failure. */
  remove(): void {
    if (this.#isCreated) this.#fileSystem.remove(this.path);
  }

  /** Closes the file, ignoring errors. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) await this.#fileSystem.close(file).catch(() => {});
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
