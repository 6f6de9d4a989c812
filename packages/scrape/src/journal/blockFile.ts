import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { type BlockStorage, describeSystemError } from '@org/core';
import { RetryPolicy } from './retryPolicy.ts';

export interface BlockFileOptions {
  /** Receives a report when writing starts to fail and when writing succeeds again. */
  readonly onStateChange?: (change: {
    readonly state: 'failing' | 'resumed';
    readonly message: string;
  }) => void;
  /** The clock for the retry policy; defaults to `performance.now`. */
  readonly clock?: { monotonicMs(): number };
}

/**
 * A temporary file for blocks of time series that exceed the memory limit. The file is created with the first
 * block and unlinked immediately (except on Windows), so that it is deleted however the process ends.
 *
 * If a block cannot be written, `write` returns null and the caller keeps the block in memory. Writing is
 * retried with later blocks.
 */
export class BlockFile implements BlockStorage {
  readonly #path: string;
  readonly #onStateChange: NonNullable<BlockFileOptions['onStateChange']>;
  readonly #retry: RetryPolicy;
  #file: number | undefined;
  #mustUnlink = false;
  #isFailing = false;
  #length = 0;

  /** `path` is the path of the file to create; it must not exist. */
  constructor(path: string, { onStateChange, clock }: BlockFileOptions = {}) {
    this.#path = path;
    this.#onStateChange = onStateChange ?? (() => {});
    this.#retry = new RetryPolicy(() => (clock ? clock.monotonicMs() : performance.now()));
  }

  /** Total size of all blocks, in bytes. */
  get byteLength(): number {
    return this.#length;
  }

  /** Appends a block. Returns its position in the file, or null if the block was not written. */
  write(bytes: Uint8Array): number | null {
    if (this.#isFailing && !this.#retry.isDue) return null;
    try {
      const position = this.#append(bytes);
      this.#handleSuccess();
      return position;
    } catch (error) {
      this.#handleFailure(error as Error);
      return null;
    }
  }

  /**
   * Reads a block. Throws the system error of `node:fs` on failure, or an error if the file has been
   * truncated.
   */
  read(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let offset = 0; offset < length; ) {
      const count = readSync(this.#file!, bytes, offset, length - offset, position + offset);
      if (count === 0)
        throw new Error(`cannot read ${this.#path}: the file ends at byte ${position + offset}`);
      offset += count;
    }
    return bytes;
  }

  /** Closes the file, which deletes it. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    if (this.#mustUnlink) unlinkSync(this.#path);
  }

  #append(bytes: Uint8Array): number {
    this.#file ??= this.#create();
    for (let offset = 0; offset < bytes.length; ) {
      const count = writeSync(this.#file, bytes, offset, bytes.length - offset, this.#length + offset);
      if (count === 0) throw new Error('no bytes could be written');
      offset += count;
    }
    const position = this.#length;
    this.#length += bytes.length;
    return position;
  }

  #create(): number {
    const file = openSync(this.#path, 'wx+', 0o600);
    try {
      unlinkSync(this.#path);
    } catch {
      // Windows cannot unlink an open file. `close` removes the file.
      this.#mustUnlink = true;
    }
    return file;
  }

  #handleSuccess(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#onStateChange({ state: 'resumed', message: 'resumed writing older samples to disk' });
  }

  #handleFailure(error: Error): void {
    this.#retry.recordFailure();
    if (this.#isFailing) return;
    this.#isFailing = true;
    const consequence = 'keeping them in memory, beyond --memory-limit';
    this.#onStateChange({
      state: 'failing',
      message: `cannot write older samples to ${this.#path}: ${describeSystemError(error)}; ${consequence}`,
    });
  }
}
