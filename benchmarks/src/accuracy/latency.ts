import type { HistogramWindow } from '@org/core';

/** vLLM's bounds for end-to-end latency, in seconds, with one left out to make 22 with +Inf. */
const BOUNDS = [
  0.3,
  0.5,
  0.8,
  1,
  1.5,
  2,
  2.5,
  5,
  10,
  15,
  20,
  30,
  40,
  50,
  60,
  120,
  240,
  480,
  960,
  1920,
  7680,
  Number.POSITIVE_INFINITY,
];
const SCRAPE_NS = 333e6;

/** Lognormal latencies about 4 s, scraped every 333 ms: the same ones for the same arguments. */
export function latencyWindow(scrapes: number, rate: number): HistogramWindow {
  const random = seeded(scrapes + rate);
  const counts = new Float64Array(scrapes);
  const sums = new Float64Array(scrapes);
  const cumulative = BOUNDS.map(() => new Float64Array(scrapes));
  let due = 0;
  for (let row = 1; row < scrapes; row += 1) {
    for (const column of [counts, sums, ...cumulative]) column[row] = column[row - 1]!;
    for (due += (rate * SCRAPE_NS) / 1e9; due >= 1; due -= 1) {
      const latency = 4 * Math.exp(0.8 * normal(random));
      counts[row]! += 1;
      sums[row]! += latency;
      for (const [bucket, bound] of BOUNDS.entries()) if (latency <= bound) cumulative[bucket]![row]! += 1;
    }
  }
  return {
    timesNs: counts.map((_, row) => row * SCRAPE_NS),
    sums,
    counts,
    bounds: BOUNDS.map(le => ({ le, text: le === Number.POSITIVE_INFINITY ? '+Inf' : String(le) })),
    cumulative,
  };
}

/** Numbers from 0 to 1: mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One standard normal number: Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
