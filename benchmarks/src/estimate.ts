/**
 * What one estimate costs: a JSON line per method, window and rate with the nanoseconds of one series. A minute of
 * scrapes (200) and an hour of them (10,800), each of 22 buckets; the median of many runs, and the fastest of them, which
 * a busy machine disturbs least. Usage: node benchmarks/dist/estimate.js
 */
import { type HistogramWindow, PERCENTILE_METHODS, type PercentileEstimator } from '@org/core';
import { latencyWindow } from './accuracy/latency.ts';

/** Observations per second: few enough to be known one by one, and more than one can tell apart. */
const RATES = [2, 10, 50, 1000];
const SIZES = [200, 10_800];
/** Each figure comes of so many runs, or of as many as fit into the time; the first half only warms up. */
const RUNS = 200;
const MOST_NS = 2e9;

for (const scrapes of SIZES) {
  for (const rate of RATES) {
    const window = latencyWindow(scrapes, rate);
    for (const [method, estimator] of Object.entries(PERCENTILE_METHODS)) {
      const times = timesOf(estimator, window);
      const figures = { ns_per_estimate: times[times.length >> 1]!, fastest_ns: times[0]! };
      const buckets = window.bounds.length;
      console.log(JSON.stringify({ bench: 'estimate', method, scrapes, buckets, rate, ...figures }));
    }
  }
}

/** Nanoseconds of each run but the first ones, ascending. */
function timesOf(estimator: PercentileEstimator, window: HistogramWindow): number[] {
  const times: number[] = [];
  const start = process.hrtime.bigint();
  while (times.length < RUNS && Number(process.hrtime.bigint() - start) < MOST_NS) {
    const before = process.hrtime.bigint();
    estimator(window);
    times.push(Number(process.hrtime.bigint() - before));
  }
  return times.slice(times.length >> 1).sort((a, b) => a - b);
}
