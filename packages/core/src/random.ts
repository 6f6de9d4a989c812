/**
 * A seeded random number generator; the same seed gives the same numbers on every machine.
 *
 * Implements sfc32 (Doty-Humphrey, PractRand), seeded by splitmix32.
 */
export class Random {
  readonly #seed: number;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  /** The unused second value of the last polar pair, or NaN. */
  #spareNormal = Number.NaN;

  /** The seed is an integer from 0 to 2^53 - 1. It is reduced to 32 bits, so some large seeds give the same numbers. */
  constructor(seed: number) {
    this.#seed = foldSeed(seed);
    const split = createSplitmix(this.#seed);
    this.#a = split();
    this.#b = split();
    this.#c = split();
    // sfc32 needs a few rounds to mix its state.
    for (let i = 0; i < 12; i++) this.#word();
  }

  /**
   * Creates an independent generator for one purpose. Drawing more numbers from it does not change the
   * numbers for other purposes.
   */
  fork(purpose: string): Random {
    return new Random(hashText(purpose, this.#seed));
  }

  /** Returns a uniformly distributed number in [0, 1) with 53 random bits. */
  next(): number {
    return ((this.#word() >>> 5) * 67108864 + (this.#word() >>> 6)) / 9007199254740992;
  }

  /** Returns a uniformly distributed number in [low, high). */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Returns a uniformly distributed integer in [0, count). */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns an exponentially distributed number with this mean. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Returns a normally distributed number with mean 0 and variance 1 (Marsaglia's polar method). */
  normal(): number {
    const spare = this.#spareNormal;
    if (!Number.isNaN(spare)) {
      this.#spareNormal = Number.NaN;
      return spare;
    }
    for (;;) {
      const x = 2 * this.next() - 1;
      const y = 2 * this.next() - 1;
      const square = x * x + y * y;
      if (square === 0 || square >= 1) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      this.#spareNormal = y * scale;
      return x * scale;
    }
  }

  /** Returns a lognormally distributed number. `sigma` is the standard deviation of its logarithm. */
  lognormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }

  /**
   * Returns a gamma-distributed number with mean shape * scale (Marsaglia and Tsang 2000, with their boost
   * for shape < 1).
   */
  gamma(shape: number, scale: number): number {
    if (shape < 1) return this.gamma(shape + 1, scale) * (1 - this.next()) ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const v = (1 + c * x) ** 3;
      if (v <= 0) continue;
      if (Math.log(1 - this.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v * scale;
    }
  }

  /** Returns 32 random bits as an unsigned integer. */
  #word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}

/** Returns a 32-bit hash of a string: FNV-1a over UTF-16 code units, finalized by murmur3's mixer. */
export function hashText(text: string, seed = 0): number {
  let value = (0x811c9dc5 ^ foldSeed(seed)) >>> 0;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Reduces a seed to 32 bits. */
function foldSeed(seed: number): number {
  const high = Math.floor(seed / 2 ** 32);
  return high === 0 ? seed >>> 0 : hashText(`${high}`, seed >>> 0);
}

/** Creates a splitmix32 generator, which expands a seed to the state of sfc32. */
function createSplitmix(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let word = state ^ (state >>> 16);
    word = Math.imul(word, 0x21f0aaad);
    word ^= word >>> 15;
    word = Math.imul(word, 0x735a2d97);
    return (word ^ (word >>> 15)) >>> 0;
  };
}
