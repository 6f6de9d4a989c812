import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import type { BlockStorage } from '@org/core';
import { RetryPolicy } from './retryPolicy.ts';

export interface BlockFileOptions {
  /** FailureDescription once in turn: the file takes no blocks, or does again. */
  readonly onTrouble?: (trouble: { readonly state: 'failing' | 'resumed'; readonly message: string }) => void;
  /** Only differences of its `monotonicMs` count. */
  readonly clock?: { monotonicMs(): number };
}

/**
 * The file that holds what stores have no memory for. It is made with the first block, and has a name only where a file that
 * is open cannot lose it: whatever ends the process, nothing is left behind.
 *
 * A block that cannot be written is refused, and stays in memory; the file is tried again after a while.
 */
export class BlockFile implements BlockStorage {
  readonly #path: string;
  readonly #onTrouble: NonNullable<BlockFileOptions['onTrouble']>;
  readonly #retry: RetryPolicy;
  #file: number | undefined;
  #isNamed = false;
  #isFailing = false;
  #length = 0;

  /** `path` is that of a file that does not exist. */
  constructor(path: string, { onTrouble, clock }: BlockFileOptions = {}) {
    this.#path = path;
    this.#onTrouble = onTrouble ?? (() => {});
    this.#retry = new RetryPolicy(() => (clock ? clock.monotonicMs() : performance.now()));
  }

  /** Bytes of all blocks. */
  get byteLength(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): number | null {
    if (this.#isFailing && !this.#retry.isDue) return null;
    try {
      const position = this.#append(bytes);
      this.#resumed();
      return position;
    } catch (error) {
      this.#failed(error as Error);
      return null;
    }
  }

  /** Throws the error of `node:fs`, or that the file is shorter than it was. */
  read(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const count = readSync(this.#file!, bytes, at, length - at, position + at);
      if (count === 0) throw new Error(`cannot read back ${this.#path}: it ends at byte ${position + at}`);
      at += count;
    }
    return bytes;
  }

  /** Closes the file; what is in it is gone. */
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
      // Windows: it is removed when it is closed.
      this.#isNamed = true;
    }
    return file;
  }

  #resumed(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#onTrouble({ state: 'resumed', message: 'history is written to disk again' });
  }

  #failed({ message }: Error): void {
    this.#retry.failed();
    if (this.#isFailing) return;
    this.#isFailing = true;
    const effect = 'keeping it in memory, beyond --memory-limit';
    this.#onTrouble({
      state: 'failing',
      message: `cannot write history to ${this.#path}: ${message}; ${effect}`,
    });
  }
}
