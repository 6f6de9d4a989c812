import type { Estimate } from '../../src/sweep/estimate.ts';
import type { LoadPoint } from '../../src/sweep/loadPoint.ts';

/** An interval as mean and half width; a number is a mean without an interval. */
export type Interval = readonly [mean: number, half: number] | number;

/** Creates a load point with a throughput `rate` and a latency `ttft_p99`. */
export function createPoint(
  concurrency: number,
  rate: Interval,
  latency: Interval | undefined,
  failedShare: number | null = 0,
): LoadPoint {
  return {
    name: `c${concurrency}`,
    parameters: { concurrency: String(concurrency) },
    estimates: {
      rate: toEstimate(rate),
      ...(latency !== undefined && { ttft_p99: toEstimate(latency) }),
    },
    failedShare,
  };
}

function toEstimate(interval: Interval): Estimate {
  return typeof interval === 'number'
    ? { mean: interval, half: null }
    : { mean: interval[0], half: interval[1] };
}
