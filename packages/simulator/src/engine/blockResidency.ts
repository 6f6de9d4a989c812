/** Time that a block of a cached prefix was in the cache, in ns. */
export interface BlockResidency {
  /** Time from the allocation to the eviction. */
  readonly lifetimeNs: number;
  /** Time from the last use to the eviction. */
  readonly idleNs: number;
  /** Times between uses, the latest ones. */
  readonly reuseGapsNs: readonly number[];
}

/** Number of uses that vLLM keeps for each block that it samples. */
const MAX_USES = 4;

/** The uses of a block in the cache. */
export class BlockUses {
  readonly #allocatedNs: number;
  readonly #usesNs: number[] = [];

  constructor(allocatedNs: number) {
    this.#allocatedNs = allocatedNs;
  }

  add(nowNs: number): void {
    this.#usesNs.push(nowNs);
    if (this.#usesNs.length > MAX_USES) this.#usesNs.shift();
  }

  /** Describes the residency of a block that is evicted now. */
  describe(nowNs: number): BlockResidency {
    const uses = this.#usesNs;
    return {
      lifetimeNs: nowNs - this.#allocatedNs,
      idleNs: nowNs - (uses.at(-1) ?? this.#allocatedNs),
      reuseGapsNs: uses.slice(1).map((useNs, index) => useNs - uses[index]!),
    };
  }
}
