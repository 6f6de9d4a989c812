/** Where stores keep blocks that memory has no room for: a file, say. */
export interface BlockStorage {
  /** Keeps bytes, which it may not hold on to, and says where; null when it cannot keep them now, as on a full disk. */
  write(bytes: Uint8Array): number | null;
  /** Bytes that were kept, in memory of their own. Throws when they cannot be read back. */
  read(position: number, length: number): Uint8Array;
}

/** A store whose oldest blocks can go to a storage. */
export interface Spilling {
  /** Bytes that it holds in memory. */
  readonly byteLength: number;
  /** Gives its oldest block that is in memory to the storage. False when it has none, or the storage takes no more. */
  spill(): boolean;
}

/** What is read back is kept for the next reads of its neighbours: in this part of the limit. */
const CACHE_SHARE = 1 / 8;

/**
 * The memory that the stores of a run may use together for what was scraped. Blocks that were sealed first go to the storage
 * first; the newest rows of each endpoint, the times of its frames and what finds the blocks again stay.
 *
 * Results do not depend on it. When the storage fails to keep a block, the block stays in memory: nothing is lost, and the
 * limit is exceeded until the storage takes blocks again.
 */
export class StoreMemory {
  /** Bytes. */
  readonly limit: number;
  readonly #storage: BlockStorage;
  readonly #sizes = new Map<Spilling, number>();
  /** The stores in the order in which they sealed blocks, an entry a block; those before `#next` are done with. */
  #sealed: Spilling[] = [];
  #next = 0;
  #used = 0;
  #hasSpilled = false;
  readonly #cache = new Map<number, Uint8Array>();
  readonly #cacheLimit: number;
  #cached = 0;

  /** Throws a RangeError for a limit that is no number of bytes above 0. */
  constructor(limit: number, storage: BlockStorage) {
    if (!(limit > 0)) throw new RangeError(`the memory limit is ${limit}: it must be bytes, above 0`);
    this.limit = limit;
    this.#storage = storage;
    this.#cacheLimit = limit * CACHE_SHARE;
  }

  /** Bytes of all stores and of what was read back. */
  get used(): number {
    return this.#used + this.#cached;
  }

  /** Whether a block has ever been given to the storage. */
  get hasSpilled(): boolean {
    return this.#hasSpilled;
  }

  /** Notes that a store has sealed a block, and makes room when there is none left. */
  sealed(store: Spilling): void {
    this.#sealed.push(store);
    this.#count(store);
    while (this.#used > this.limit - this.#cacheLimit && this.#next < this.#sealed.length) {
      const oldest = this.#sealed[this.#next]!;
      if (!oldest.spill()) break;
      this.#next++;
      this.#hasSpilled = true;
      this.#count(oldest);
    }
    this.#forgetSpilled();
  }

  write(bytes: Uint8Array): number | null {
    return this.#storage.write(bytes);
  }

  /** Bytes that the storage kept; not to be written to. */
  read(position: number, length: number): Uint8Array {
    const known = this.#cache.get(position);
    if (known) return known;
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

  #count(store: Spilling): void {
    const size = store.byteLength;
    this.#used += size - (this.#sizes.get(store) ?? 0);
    this.#sizes.set(store, size);
  }

  #forgetSpilled(): void {
    if (this.#next < 1024 || this.#next < this.#sealed.length / 2) return;
    this.#sealed = this.#sealed.slice(this.#next);
    this.#next = 0;
  }
}
