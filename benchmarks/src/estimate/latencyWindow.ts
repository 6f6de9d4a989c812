import type { HistogramWindow } from '@org/core';
import { createRandom } from '../measure/random.ts';

/** The bucket bounds of end-to-end latency in vLLM, in seconds: 22 including +Inf. */
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
const SCRAPE_INTERVAL_NS = 333e6;

/**
 * Creates a window of log-normal latencies with a median of 4 s, scraped every 333 ms. `rate` is the number of
 * observations per second. The same arguments produce the same window.
 */
export function createLatencyWindow(scrapes: number, rate: number): HistogramWindow {
  const random = createRandom(scrapes + rate);
  const counts = new Float64Array(scrapes);
  const sums = new Float64Array(scrapes);
  const cumulative = BOUNDS.map(() => new Float64Array(scrapes));
  let pending = 0;
  for (let row = 1; row < scrapes; row += 1) {
    for (const column of [counts, sums, ...cumulative]) column[row] = column[row - 1]!;
    for (pending += (rate * SCRAPE_INTERVAL_NS) / 1e9; pending >= 1; pending -= 1) {
      const latency = 4 * Math.exp(0.8 * drawNormal(random));
      counts[row]! += 1;
      sums[row]! += latency;
      for (const [bucket, bound] of BOUNDS.entries()) if (latency <= bound) cumulative[bucket]![row]! += 1;
    }
  }
  return {
    timesNs: counts.map((_, row) => row * SCRAPE_INTERVAL_NS),
    sums,
    counts,
    bounds: BOUNDS.map(le => ({ le, text: le === Number.POSITIVE_INFINITY ? '+Inf' : String(le) })),
    cumulative,
  };
}

/** Draws a number from the standard normal distribution (Box-Muller). */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
