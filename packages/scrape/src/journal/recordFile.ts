import { WriteError } from './errors.ts';
import type { JournalFileSystem } from './fileSystem.ts';

/**
 * A file of whole records. What could not be written as a whole is cut off again, so that the file ends with its last
 * whole record, and the next one continues it.
 */
export class RecordFile {
  readonly path: string;
  readonly #files: JournalFileSystem;
  #file: number | undefined;
  #isCreated = false;
  /** True when there may be something behind the last whole record. */
  #hasPartialRecord = false;
  /** Length of the whole records, and how much of it is known to be on the disk. */
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

  /** Adds bytes as a whole or not at all. Throws `WriteError`, and next time first cuts off what it left. */
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

  /** Cuts the file back to its last whole record. Throws `WriteError`. */
  truncate(): void {
    this.#try(() => this.#files.truncate(this.#file!, this.#length));
    this.#hasPartialRecord = false;
  }

  /** Cuts, if there is something to cut; when that fails, it is for the next append to do. */
  truncatePartial(): void {
    if (this.#file === undefined || !this.#hasPartialRecord) return;
    try {
      this.truncate();
    } catch {
      // the next append tries again, and tells
    }
  }

  /** Brings what there is by now to the disk, and returns how much that is. Rejects with `WriteError`. */
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

  /** Gives up what is not known to be on the disk. */
  rewind(): void {
    this.#length = this.#synced;
    this.#hasPartialRecord = true;
  }

  /** Removes the file, if it was made. Throws the error of the file system. */
  remove(): void {
    if (this.#isCreated) this.#files.remove(this.path);
  }

  /** Closes the file; no error matters any more. */
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
  return new WriteError((error as Error).message, { cause: error });
}
