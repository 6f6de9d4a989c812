import { type BlockResidency, BlockUses } from './blockResidency.ts';
import type { Request } from './request.ts';

/** A prompt prefix in the cache. */
interface CachedPrefix {
  readonly blocks: number;
  readonly uses: BlockUses;
  /**
   * Number of running requests that hold the prefix. Without holders, the prefix stays in the cache until it is
   * evicted.
   */
  holders: number;
}

/** The clock of a cache, and the receiver of its evictions. */
export interface BlockPoolEvents {
  /** Returns the time in ns. */
  readonly getNowNs: () => number;
  /** Called for one block of each prefix that is evicted. */
  readonly onEvicted: (residency: BlockResidency) => void;
}

const NO_EVENTS: BlockPoolEvents = { getNowNs: () => 0, onEvicted: () => {} };

/**
 * The key-value cache in blocks of tokens, as in paged attention (Kwon et al. 2023). A block is free, in use,
 * or part of a cached prefix that no running request holds. If blocks run out, prefixes that are not held are
 * evicted in least-recently-used order.
 */
export class BlockPool {
  readonly total: number;
  readonly blockSize: number;
  #usedBlocks = 0;
  #unheldBlocks = 0;
  /** Prefixes in least-recently-used order. */
  readonly #prefixes = new Map<string, CachedPrefix>();
  readonly #events: BlockPoolEvents;

  constructor(total: number, blockSize: number, events: BlockPoolEvents = NO_EVENTS) {
    this.#events = events;
    this.total = total;
    this.blockSize = blockSize;
  }

  /** Number of blocks held by running requests; a shared prefix counts once. */
  get used(): number {
    return this.#usedBlocks;
  }

  /** Extends a request's blocks to hold its first `tokens` tokens. Returns false if the cache is full. */
  grow(request: Request, tokens: number): boolean {
    const missingBlocks = Math.ceil(tokens / this.blockSize) - request.prefixBlocks - request.blocks;
    if (missingBlocks <= 0) return true;
    if (this.#usedBlocks + missingBlocks > this.total) return false;
    this.#usedBlocks += missingBlocks;
    request.blocks += missingBlocks;
    this.#evict();
    return true;
  }

  /** Acquires the cached prefix of a request, if any. Returns the number of prompt tokens that are cached. */
  acquirePrefix(request: Request): number {
    const { prefix, promptTokens } = request.spec;
    const cached = prefix && this.#prefixes.get(prefix.id);
    if (!prefix || !cached) return 0;
    this.#acquire(prefix.id, cached);
    request.prefixId = prefix.id;
    request.prefixBlocks = cached.blocks;
    // The last token is always computed, because its output is the first generated token.
    return Math.min(cached.blocks * this.blockSize, promptTokens - 1);
  }

  /** Adds the prefix of a request to the cache. Call it when the prompt has been computed. */
  publishPrefix(request: Request): void {
    const { prefix } = request.spec;
    if (!prefix || request.prefixId !== undefined || this.#prefixes.has(prefix.id)) return;
    const blocks = Math.min(Math.floor(prefix.tokens / this.blockSize), request.blocks);
    if (blocks === 0) return;
    const uses = new BlockUses(this.#events.getNowNs());
    this.#prefixes.set(prefix.id, { blocks, uses, holders: 1 });
    request.blocks -= blocks;
    request.prefixId = prefix.id;
    request.prefixBlocks = blocks;
  }

  /** Frees all blocks of the request. */
  release(request: Request): void {
    this.#usedBlocks -= request.blocks;
    request.blocks = 0;
    if (request.prefixId !== undefined) this.#releasePrefix(request.prefixId);
    request.prefixId = undefined;
    request.prefixBlocks = 0;
  }

  #acquire(id: string, prefix: CachedPrefix): void {
    if (prefix.holders === 0) {
      this.#unheldBlocks -= prefix.blocks;
      this.#usedBlocks += prefix.blocks;
    }
    prefix.holders += 1;
    prefix.uses.add(this.#events.getNowNs());
    this.#prefixes.delete(id);
    this.#prefixes.set(id, prefix);
  }

  #releasePrefix(id: string): void {
    const prefix = this.#prefixes.get(id);
    if (!prefix) throw new Error(`BUG: prefix "${id}" was evicted while held`);
    prefix.holders -= 1;
    if (prefix.holders > 0) return;
    this.#usedBlocks -= prefix.blocks;
    this.#unheldBlocks += prefix.blocks;
  }

  #evict(): void {
    if (this.#usedBlocks + this.#unheldBlocks <= this.total) return;
    for (const [id, prefix] of this.#prefixes) {
      if (prefix.holders > 0) continue;
      this.#prefixes.delete(id);
      this.#unheldBlocks -= prefix.blocks;
      this.#events.onEvicted(prefix.uses.describe(this.#events.getNowNs()));
      if (this.#usedBlocks + this.#unheldBlocks <= this.total) return;
    }
  }
}
