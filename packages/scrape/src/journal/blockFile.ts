import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { type BlockStorage, describeSystemError } from '@org/core';
import { RetryPolicy } from './retryPolicy.ts';

export interface BlockFileOptions {
  /** Called when writing starts to fail, and when it succeeds again. */
  readonly onStateChange?: (change: {
    readonly state: 'failing' | 'resumed';
    readonly message: string;
  }) => void;
  /** Only differences of its `monotonicMs` are used. */
  readonly clock?: { monotonicMs(): number };
}

/**
 * Stores the blocks of time series that exceed the memory limit. The file is created with the first block and
 * unlinked at once (except on Windows), so that nothing is left behind however the process ends.
 *
 * A block that cannot be written is refused and stays in memory; writing is retried later.
 */
export class BlockFile implements BlockStorage {
  readonly #path: string;
  readonly #onStateChange: NonNullable<BlockFileOptions['onStateChange']>;
  readonly #retry: RetryPolicy;
  #file: number | undefined;
  #isNamed = false;
  #isFailing = false;
  #length = 0;

  /** `path` must not exist. */
  constructor(path: string, { onStateChange, clock }: BlockFileOptions = {}) {
    this.#path = path;
    this.#onStateChange = onStateChange ?? (() => {});
    this.#retry = new RetryPolicy(() => (clock ? clock.monotonicMs() : performance.now()));
  }

  /** Total size of all blocks, in bytes. */
  get byteLength(): number {
    return this.#length;
  }

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

  /** Throws the error of `node:fs`, or an error if the file has been truncated. */
  read(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const count = readSync(this.#file!, bytes, at, length - at, position + at);
      if (count === 0) throw new Error(`cannot read ${this.#path}: the file ends at byte ${position + at}`);
      at += count;
    }
    return bytes;
  }

  /** Closes the file, which deletes it. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    if (this.#isNamed) unlinkSync(this.#path);
  }

  #append(bytes: Uint8Array): number {
    this.#file ??= this.#create();
    for (let at = 0; at < bytes.length; ) {
      const count = writeSync(this.#file, bytes, at, bytes.length - at, this.#length + at);
      if (count === 0) throw new Error('no bytes could be written');
      at += count;
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
      // Windows cannot unlink an open file: it is removed when it is closed.
      this.#isNamed = true;
    }
    return file;
  }

  #handleSuccess(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#onStateChange({ state: 'resumed', message: 'writing older samples to disk resumed' });
  }

  #handleFailure(error: Error): void {
    this.#retry.recordFailure();
    if (this.#isFailing) return;
    this.#isFailing = true;
    const effect = 'keeping them in memory, beyond --memory-limit';
    this.#onStateChange({
      state: 'failing',
      message: `cannot write older samples to ${this.#path}: ${describeSystemError(error)}; ${effect}`,
    });
  }
}
