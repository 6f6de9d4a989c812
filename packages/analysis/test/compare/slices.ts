/** Deviations without autocorrelation, in units of 1%. */
const NOISE = [1, -2, 0.5, 2, -1, -0.5, 1.5, -1.5, 0, 2.5, -2.5, 0.3, -0.3, 1.2, -1.2];

/** Returns `count` values on a straight line. */
export function createTrend(count: number, from: number, to: number): number[] {
  return Array.from({ length: count }, (_, i) => from + ((to - from) * i) / Math.max(1, count - 1));
}

/** Adds deviations of up to 2.5% to values. */
export function addNoise(values: readonly number[]): number[] {
  return values.map((value, i) => value * (1 + NOISE[i % NOISE.length]! / 100));
}

/** Returns the running total of `count` random changes, at least 0.01. */
export function accumulate(count: number, change: () => number): number[] {
  let value = 1;
  return Array.from({ length: count }, () => {
    value = Math.max(0.01, value + change());
    return value;
  });
}

/** Creates a seeded linear congruential generator (Numerical Recipes) of numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
