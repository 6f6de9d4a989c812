/** Storage for chunks that exceed the memory limit, such as a file. */
export interface BlockStorage {
  /**
   * Stores a copy of `bytes` and returns its position; null if storing fails (for example, because the disk
   * is full).
   */
  write(bytes: Uint8Array): number | null;
  /** Returns a copy of stored bytes. Throws if they cannot be read. */
  read(position: number, length: number): Uint8Array;
}

/** A store whose oldest chunks can be moved to storage. */
export interface SpillableStore {
  /** Size in memory, in bytes. */
  readonly byteLength: number;
  /**
   * Moves the oldest chunk in memory to storage. Returns false if there is no chunk in memory, or the storage
   * cannot store it.
   */
  spill(): boolean;
}

/** Share of the limit used to cache chunks that were read back. */
const CACHE_SHARE = 1 / 8;

/**
 * A memory limit shared by the stores of a run. If it is exceeded, the oldest chunks are moved to storage.
 * The newest rows of each endpoint, frame times and indexes stay in memory.
 *
 * Results do not depend on the limit. If the storage cannot store a chunk, the chunk stays in memory: no data
 * is lost, and the limit is exceeded until storing succeeds again.
 */
export class StoreMemory {
  /** The memory limit, in bytes. */
  readonly limit: number;
  readonly #storage: BlockStorage;
  readonly #sizes = new Map<SpillableStore, number>();
  /** The store of each chunk, oldest chunk first; chunks before `#nextToSpill` are in storage. */
  #chunkOwners: SpillableStore[] = [];
  #nextToSpill = 0;
  #storeBytes = 0;
  #hasSpilled = false;
  readonly #cache = new Map<number, Uint8Array>();
  readonly #cacheLimit: number;
  #cachedBytes = 0;

  /** Throws a RangeError unless `limit` (bytes) is above 0. */
  constructor(limit: number, storage: BlockStorage) {
    if (!(limit > 0))
      throw new RangeError(`memory limit is ${limit} bytes; expected a number greater than 0`);
    this.limit = limit;
    this.#storage = storage;
    this.#cacheLimit = limit * CACHE_SHARE;
  }

  /** Size of all stores and of the cache, in bytes. */
  get used(): number {
    return this.#storeBytes + this.#cachedBytes;
  }

  /** True if any chunk was moved to storage. */
  get hasSpilled(): boolean {
    return this.#hasSpilled;
  }

  /** Records that a store created a chunk, and moves the oldest chunks to storage while the limit is exceeded. */
  recordChunk(store: SpillableStore): void {
    this.#chunkOwners.push(store);
    this.#updateSize(store);
    while (this.#storeBytes > this.limit - this.#cacheLimit && this.#nextToSpill < this.#chunkOwners.length) {
      const oldest = this.#chunkOwners[this.#nextToSpill]!;
      if (!oldest.spill()) break;
      this.#nextToSpill++;
      this.#hasSpilled = true;
      this.#updateSize(oldest);
    }
    this.#forgetSpilled();
  }

  /** Writes to the storage; see `BlockStorage.write`. */
  write(bytes: Uint8Array): number | null {
    return this.#storage.write(bytes);
  }

  /** Returns stored bytes, from the cache if possible. They must not be modified. */
  read(position: number, length: number): Uint8Array {
    const cached = this.#cache.get(position);
    if (cached) return cached;
    const bytes = this.#storage.read(position, length);
    this.#cache.set(position, bytes);
    this.#cachedBytes += bytes.length;
    for (const [oldest, { length: size }] of this.#cache) {
      if (this.#cachedBytes <= this.#cacheLimit) break;
      this.#cache.delete(oldest);
      this.#cachedBytes -= size;
    }
    return bytes;
  }

  #updateSize(store: SpillableStore): void {
    const size = store.byteLength;
    this.#storeBytes += size - (this.#sizes.get(store) ?? 0);
    this.#sizes.set(store, size);
  }

  #forgetSpilled(): void {
    if (this.#nextToSpill < 1024 || this.#nextToSpill < this.#chunkOwners.length / 2) return;
    this.#chunkOwners = this.#chunkOwners.slice(this.#nextToSpill);
    this.#nextToSpill = 0;
  }
}
