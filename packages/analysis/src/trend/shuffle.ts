/**
 * Creates a function that returns the numbers from 0 up to `length` in a random order (Fisher and Yates). The random numbers
 * are the same each time (mulberry32), so that equal runs have equal results.
 */
export function createShuffle(): (length: number) => Int32Array {
  let state = 1;
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return length => {
    const shuffled = Int32Array.from({ length }, (_, i) => i);
    for (let i = length - 1; i > 0; i--) {
      const j = Math.floor(draw() * (i + 1));
      const kept = shuffled[i]!;
      shuffled[i] = shuffled[j]!;
      shuffled[j] = kept;
    }
    return shuffled;
  };
}
