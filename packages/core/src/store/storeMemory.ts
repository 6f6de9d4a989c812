/** Storage for chunks that exceed the memory limit, such as a file. */
export interface BlockStorage {
  /** Stores a copy of `bytes` and returns its position, or null if it cannot be stored now (for example, disk full). */
  write(bytes: Uint8Array): number | null;
  /** Returns a copy of stored bytes. Throws if they cannot be read. */
  read(position: number, length: number): Uint8Array;
}

/** A store whose oldest chunks can be moved to storage. */
export interface SpillableStore {
  /** Bytes held in memory. */
  readonly byteLength: number;
  /** Moves the oldest chunk in memory to storage. Returns false if no chunk is left, or the storage cannot take it. */
  spill(): boolean;
}

/** Share of the limit used to cache chunks that were read back. */
const CACHE_SHARE = 1 / 8;

/**
 * The memory limit that the stores of a run share. Chunks are moved to storage oldest first; the
 * newest rows of each endpoint, frame times and indexes stay in memory.
 *
 * Results do not depend on the limit. If the storage cannot take a chunk, the chunk stays in memory: no data is lost, and
 * the limit is exceeded until the storage accepts chunks again.
 */
export class StoreMemory {
  /** Bytes. */
  readonly limit: number;
  readonly #storage: BlockStorage;
  readonly #sizes = new Map<SpillableStore, number>();
  /** The store of each chunk, oldest chunk first; chunks before `#next` are in storage. */
  #chunkOwners: SpillableStore[] = [];
  #next = 0;
  #used = 0;
  #hasSpilled = false;
  readonly #cache = new Map<number, Uint8Array>();
  readonly #cacheLimit: number;
  #cached = 0;

  /** Throws a RangeError unless `limit` (bytes) is above 0. */
  constructor(limit: number, storage: BlockStorage) {
    if (!(limit > 0)) throw new RangeError(`memory limit is ${limit} bytes; expected a number above 0`);
    this.limit = limit;
    this.#storage = storage;
    this.#cacheLimit = limit * CACHE_SHARE;
  }

  /** Bytes used by all stores and by the cache. */
  get used(): number {
    return this.#used + this.#cached;
  }

  /** True if any chunk was moved to storage. */
  get hasSpilled(): boolean {
    return this.#hasSpilled;
  }

  /** Records that a store made a chunk, and moves old chunks to storage while the limit is exceeded. */
  noteChunk(store: SpillableStore): void {
    this.#chunkOwners.push(store);
    this.#updateSize(store);
    while (this.#used > this.limit - this.#cacheLimit && this.#next < this.#chunkOwners.length) {
      const oldest = this.#chunkOwners[this.#next]!;
      if (!oldest.spill()) break;
      this.#next++;
      this.#hasSpilled = true;
      this.#updateSize(oldest);
    }
    this.#forgetSpilled();
  }

  write(bytes: Uint8Array): number | null {
    return this.#storage.write(bytes);
  }

  /** Returns stored bytes, which must not be modified. */
  read(position: number, length: number): Uint8Array {
    const cached = this.#cache.get(position);
    if (cached) return cached;
    const bytes = this.#storage.read(position, length);
    this.#cache.set(position, bytes);
    this.#cached += bytes.length;
    for (const [oldest, { length: size }] of this.#cache) {
      if (this.#cached <= this.#cacheLimit) break;
      this.#cache.delete(oldest);
      this.#cached -= size;
    }
    return bytes;
  }

  #updateSize(store: SpillableStore): void {
    const size = store.byteLength;
    this.#used += size - (this.#sizes.get(store) ?? 0);
    this.#sizes.set(store, size);
  }

  #forgetSpilled(): void {
    if (this.#next < 1024 || this.#next < this.#chunkOwners.length / 2) return;
    this.#chunkOwners = this.#chunkOwners.slice(this.#next);
    this.#next = 0;
  }
}
