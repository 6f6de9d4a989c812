/** Returns a generator of numbers from 0 to 1, excluding 1, that depend only on the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns up to `count` random items. */
export function pick<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, () => items[Math.floor(random() * items.length)]!);
}
