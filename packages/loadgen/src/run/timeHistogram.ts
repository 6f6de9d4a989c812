import { createHistogram, type Histogram, type RecordableHistogram } from 'node:perf_hooks';

/** Statistics of durations, in ns; all 0 if there are none. */
export interface TimeStats {
  readonly count: number;
  readonly meanNs: number;
  readonly p50Ns: number;
  readonly p99Ns: number;
  readonly maxNs: number;
}

/** Collects durations in a histogram of bounded size with three significant digits. */
export class TimeHistogram {
  readonly #histogram: RecordableHistogram = createHistogram();

  add(ns: number): void {
    // Histograms accept integers of at least 1.
    this.#histogram.record(Math.max(1, Math.round(ns)));
  }

  computeStats(): TimeStats {
    return toTimeStats(this.#histogram, 0);
  }
}

/** Computes the statistics of a histogram after subtracting an offset, in ns, from its values. */
export function toTimeStats(histogram: Histogram, offsetNs: number): TimeStats {
  const { count } = histogram;
  if (count === 0) return { count: 0, meanNs: 0, p50Ns: 0, p99Ns: 0, maxNs: 0 };
  const subtract = (ns: number): number => Math.max(0, Math.round(ns - offsetNs));
  return {
    count,
    meanNs: subtract(histogram.mean),
    p50Ns: subtract(histogram.percentile(50)),
    p99Ns: subtract(histogram.percentile(99)),
    maxNs: subtract(histogram.max),
  };
}
