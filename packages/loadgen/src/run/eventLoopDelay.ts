import {
  createHistogram,
  type Histogram,
  type IntervalHistogram,
  monitorEventLoopDelay,
  performance,
  type RecordableHistogram,
} from 'node:perf_hooks';

/** Interval of the timer whose lateness is measured, ms. */
const INTERVAL_MS = 2;

/** A distribution of times, ns. */
export interface TimeSpread {
  readonly count: number;
  readonly meanNs: number;
  readonly p50Ns: number;
  readonly p99Ns: number;
  readonly maxNs: number;
}

/** Watches how late the event loop is: what waits in it is stamped late by as much. */
export class LagMonitor {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: INTERVAL_MS });
  #used: ReturnType<typeof performance.eventLoopUtilization> = performance.eventLoopUtilization();

  /** Begins anew. */
  start(): void {
    this.#histogram.enable();
    this.#histogram.reset();
    this.#used = performance.eventLoopUtilization();
  }

  /** Ends, and tells how late timers were and which share of the time the loop was at work, 0 to 1. */
  stop(): { lag: TimeSpread; busy: number } {
    const busy = performance.eventLoopUtilization(this.#used).utilization;
    this.#histogram.disable();
    return { lag: spreadOf(this.#histogram, INTERVAL_MS * 1e6), busy };
  }
}

/** Collects times in a histogram of bounded size (three significant digits). */
export class TimeHistogram {
  readonly #histogram: RecordableHistogram = createHistogram();

  add(ns: number): void {
    // It takes whole numbers from 1.
    this.#histogram.record(Math.max(1, Math.round(ns)));
  }

  spread(): TimeSpread {
    return spreadOf(this.#histogram, 0);
  }
}

function spreadOf(histogram: Histogram, offsetNs: number): TimeSpread {
  const { count } = histogram;
  if (count === 0) return { count: 0, meanNs: 0, p50Ns: 0, p99Ns: 0, maxNs: 0 };
  const less = (ns: number): number => Math.max(0, Math.round(ns - offsetNs));
  return {
    count,
    meanNs: less(histogram.mean),
    p50Ns: less(histogram.percentile(50)),
    p99Ns: less(histogram.percentile(99)),
    maxNs: less(histogram.max),
  };
}
