import type { Request } from './request.ts';

interface CachedPrefix {
  readonly blocks: number;
  /** Number of running requests that hold the prefix. At 0 it may be evicted, but is still a cache hit. */
  holders: number;
}

/**
 * The key-value cache in blocks of tokens, as in paged attention (Kwon et al. 2023). A block is free, in use,
 * or caches a prefix that no running request holds. Unheld prefixes are evicted in order of last use if
 * blocks run out.
 */
export class BlockPool {
  readonly total: number;
  readonly blockSize: number;
  #used = 0;
  #idle = 0;
  /** In order of last use: the first is evicted next. */
  readonly #prefixes = new Map<string, CachedPrefix>();

  constructor(total: number, blockSize: number) {
    this.total = total;
    this.blockSize = blockSize;
  }

  /** Blocks held by running requests; a shared prefix counts once. */
  get used(): number {
    return this.#used;
  }

  /** Allocates blocks for the first `tokens` tokens of a request. Returns false if the cache is full. */
  grow(request: Request, tokens: number): boolean {
    const missing = Math.ceil(tokens / this.blockSize) - request.prefixBlocks - request.blocks;
    if (missing <= 0) return true;
    if (this.#used + missing > this.total) return false;
    this.#used += missing;
    request.blocks += missing;
    this.#evict();
    return true;
  }

  /**
   * Acquires the cached prefix of a request, if there is one, and returns the number of prompt tokens that
   * are cached.
   */
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

  /** Adds the prefix of a request to the cache. To be called when its prompt has been computed. */
  publishPrefix(request: Request): void {
    const { prefix } = request.spec;
    if (!prefix || request.prefixId !== undefined || this.#prefixes.has(prefix.id)) return;
    const blocks = Math.min(Math.floor(prefix.tokens / this.blockSize), request.blocks);
    if (blocks === 0) return;
    this.#prefixes.set(prefix.id, { blocks, holders: 1 });
    request.blocks -= blocks;
    request.prefixId = prefix.id;
    request.prefixBlocks = blocks;
  }

  /** Frees all blocks of the request. */
  release(request: Request): void {
    this.#used -= request.blocks;
    request.blocks = 0;
    if (request.prefixId !== undefined) this.#releasePrefix(request.prefixId);
    request.prefixId = undefined;
    request.prefixBlocks = 0;
  }

  #acquire(id: string, prefix: CachedPrefix): void {
    if (prefix.holders === 0) {
      this.#idle -= prefix.blocks;
      this.#used += prefix.blocks;
    }
    prefix.holders += 1;
    this.#prefixes.delete(id);
    this.#prefixes.set(id, prefix);
  }

  #releasePrefix(id: string): void {
    const prefix = this.#prefixes.get(id);
    if (!prefix) throw new Error(`BUG: prefix "${id}" was evicted while held`);
    prefix.holders -= 1;
    if (prefix.holders > 0) return;
    this.#used -= prefix.blocks;
    this.#idle += prefix.blocks;
  }

  #evict(): void {
    if (this.#used + this.#idle <= this.total) return;
    for (const [id, prefix] of this.#prefixes) {
      if (prefix.holders > 0) continue;
      this.#prefixes.delete(id);
      this.#idle -= prefix.blocks;
      if (this.#used + this.#idle <= this.total) return;
    }
  }
}
