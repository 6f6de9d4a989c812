/**
 * Measures the time of one percentile estimate. Prints one JSON line per method, window and rate with the
 * nanoseconds per series. The windows have 200 scrapes (one minute) and 10,800 scrapes (one hour) of 22
 * buckets. Figures are the median of many runs and the fastest run, which is least affected by other load.
 *
 * Usage: npm run bench -- estimate
 */
import { type HistogramWindow, PERCENTILE_METHODS, type PercentileEstimator } from '@org/core';
import { createLatencyWindow } from './latencyWindow.ts';

/** Observations per second: from sparse, with at most one observation per scrape, to dense. */
const RATES = [2, 10, 50, 1000];
/** Numbers of scrapes per window. */
const SIZES = [200, 10_800];
/** Maximum number of runs per figure. The first half of the runs is warm-up. */
const MAX_RUNS = 200;
/** Time after which no further run starts. */
const MAX_NS = 2e9;

for (const scrapes of SIZES) {
  for (const rate of RATES) {
    const window = createLatencyWindow(scrapes, rate);
    for (const [method, estimator] of Object.entries(PERCENTILE_METHODS)) {
      const times = measureTimes(estimator, window);
      const figures = { ns_per_estimate: times[times.length >> 1]!, fastest_ns: times[0]! };
      const buckets = window.bounds.length;
      console.log(JSON.stringify({ bench: 'estimate', method, scrapes, buckets, rate, ...figures }));
    }
  }
}

/** Measures the duration of each run after the warm-up. Returns nanoseconds in ascending order. */
function measureTimes(estimator: PercentileEstimator, window: HistogramWindow): number[] {
  const times: number[] = [];
  const start = process.hrtime.bigint();
  while (times.length < MAX_RUNS && Number(process.hrtime.bigint() - start) < MAX_NS) {
    const before = process.hrtime.bigint();
    estimator(window);
    times.push(Number(process.hrtime.bigint() - before));
  }
  return times.slice(times.length >> 1).sort((a, b) => a - b);
}
