import type { Request } from './request.ts';

interface CachedPrefix {
  readonly blocks: number;
  /** Running requests that hold it. At 0 it may be evicted, but still serves a hit. */
  holders: number;
}

/**
 * The key-value cache as blocks of tokens, with the scheme of paged attention (Kwon et al. 2023): a block is
 * free, in use, or holds a prefix that nobody uses just now and that gives way when space is short, the
 * longest unused first.
 */
export class BlockPool {
  readonly total: number;
  readonly blockSize: number;
  #used = 0;
  #idle = 0;
  /** In order of last use: the first is the next to be evicted. */
  readonly #prefixes = new Map<string, CachedPrefix>();

  constructor(total: number, blockSize: number) {
    this.total = total;
    this.blockSize = blockSize;
  }

  /** Blocks that running requests hold; a shared prefix counts once. */
  get used(): number {
    return this.#used;
  }

  /** Makes room for the first `tokens` tokens of a request; false when the cache is full. */
  grow(request: Request, tokens: number): boolean {
    const missing = Math.ceil(tokens / this.blockSize) - request.prefixBlocks - request.blocks;
    if (missing <= 0) return true;
    if (this.#used + missing > this.total) return false;
    this.#used += missing;
    request.blocks += missing;
    this.#evict();
    return true;
  }

  /** Takes hold of the request's prefix when it is cached, and returns how many of its tokens that saves. */
  hit(request: Request): number {
    const { prefix, promptTokens } = request.spec;
    const cached = prefix && this.#prefixes.get(prefix.id);
    if (!prefix || !cached) return 0;
    this.#hold(prefix.id, cached);
    request.prefixId = prefix.id;
    request.prefixBlocks = cached.blocks;
    // The last token is always computed: its output is the first token generated.
    return Math.min(cached.blocks * this.blockSize, promptTokens - 1);
  }

  /** After its prompt was computed, shares the request's prefix with those to come. */
  publish(request: Request): void {
    const { prefix } = request.spec;
    if (!prefix || request.prefixId !== undefined || this.#prefixes.has(prefix.id)) return;
    const blocks = Math.min(Math.floor(prefix.tokens / this.blockSize), request.blocks);
    if (blocks === 0) return;
    this.#prefixes.set(prefix.id, { blocks, holders: 1 });
    request.blocks -= blocks;
    request.prefixId = prefix.id;
    request.prefixBlocks = blocks;
  }

  /** Gives back all that the request holds. */
  release(request: Request): void {
    this.#used -= request.blocks;
    request.blocks = 0;
    if (request.prefixId !== undefined) this.#letGo(request.prefixId);
    request.prefixId = undefined;
    request.prefixBlocks = 0;
  }

  #hold(id: string, prefix: CachedPrefix): void {
    if (prefix.holders === 0) {
      this.#idle -= prefix.blocks;
      this.#used += prefix.blocks;
    }
    prefix.holders += 1;
    this.#prefixes.delete(id);
    this.#prefixes.set(id, prefix);
  }

  #letGo(id: string): void {
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
