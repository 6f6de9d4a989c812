import type { JournalFileSystem } from '../../../src/journal/fileSystem.ts';

type Operation = 'create' | 'write' | 'truncate' | 'sync';

/** One file in memory, on a simulated disk that can be full or fail on demand. */
export class MemoryFiles implements JournalFileSystem {
  bytes: Buffer = Buffer.alloc(0);
  exists = false;
  /** Capacity of the disk, in bytes. */
  capacity: number = Number.POSITIVE_INFINITY;
  /** Error codes of the operations that fail. */
  readonly failing = new Map<Operation, string>();
  /** Maximum size of one write, in bytes. */
  maxWriteBytes: number = Number.POSITIVE_INFINITY;
  readonly calls: string[] = [];
  #pending: ((error?: Error) => void)[] = [];
  /** True if syncs wait for `completeSyncs`. */
  holdsSyncs = false;

  create(): number {
    this.#check('create');
    if (this.exists) throw createError('EEXIST');
    this.exists = true;
    this.bytes = Buffer.alloc(0);
    return 7;
  }

  write(_file: number, bytes: Uint8Array, start: number, end: number, position: number): number {
    this.#check('write');
    const length = Math.min(end - start, this.maxWriteBytes, this.capacity - position);
    if (length <= 0) throw createError('ENOSPC');
    const longer = Buffer.alloc(Math.max(this.bytes.length, position + length));
    this.bytes.copy(longer);
    longer.set(bytes.subarray(start, start + length), position);
    this.bytes = longer;
    return length;
  }

  truncate(_file: number, length: number): void {
    this.#check('truncate');
    this.bytes = this.bytes.subarray(0, length);
  }

  async sync(): Promise<void> {
    if (this.holdsSyncs) {
      await new Promise<void>((resolve, reject) => {
        this.#pending.push(error => (error ? reject(error) : resolve()));
      });
    }
    this.#check('sync');
  }

  async syncFolder(): Promise<void> {
    this.calls.push('syncFolder');
  }

  /** Completes the pending syncs. */
  completeSyncs(): void {
    for (const end of this.#pending.splice(0)) end();
  }

  async close(): Promise<void> {
    this.calls.push('close');
  }

  remove(): void {
    this.calls.push('remove');
    this.exists = false;
  }

  #check(operation: Operation): void {
    this.calls.push(operation);
    const code = this.failing.get(operation);
    if (code !== undefined) throw createError(code);
  }
}

function createError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated failure`), { code });
}
