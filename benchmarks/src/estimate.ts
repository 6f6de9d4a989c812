/**
 * What one estimate costs: a JSON line per method and window size with the nanoseconds of one series. Two minutes of
 * scrapes (200) and an hour of them (10,800), each of 22 buckets. Usage: node benchmarks/dist/estimate.js
 */
import { type HistogramWindow, PERCENTILE_METHODS, type PercentileEstimator } from '@org/core';
import { latencyWindow } from './accuracy/latency.ts';

/** Observations per second: few enough to be known one by one, and more than one can tell apart. */
const RATES = [2, 10, 50, 1000];
const SIZES = [200, 10_800];
/** Each figure is the median of so many runs, or of as many as fit into the time. */
const RUNS = 15;
const MOST_NS = 2e9;

for (const scrapes of SIZES) {
  for (const rate of RATES) {
    const window = latencyWindow(scrapes, rate);
    for (const [method, estimator] of Object.entries(PERCENTILE_METHODS)) {
      const ns = medianTime(estimator, window);
      const buckets = window.bounds.length;
      console.log(JSON.stringify({ bench: 'estimate', method, scrapes, buckets, rate, ns_per_estimate: ns }));
    }
  }
}

function medianTime(estimator: PercentileEstimator, window: HistogramWindow): number {
  const times: number[] = [];
  const start = process.hrtime.bigint();
  // The first half warms up the compiler.
  while (times.length < 2 * RUNS && Number(process.hrtime.bigint() - start) < MOST_NS) {
    const before = process.hrtime.bigint();
    estimator(window);
    times.push(Number(process.hrtime.bigint() - before));
  }
  const warm = times.slice(times.length >> 1).sort((a, b) => a - b);
  return warm[warm.length >> 1]!;
}
