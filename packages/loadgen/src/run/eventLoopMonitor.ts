import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { type TimeStats, toTimeStats } from './timeHistogram.ts';

/** Interval of the timer whose lateness is measured, in ms. */
const INTERVAL_MS = 2;

/** Measures how late the event loop runs: events that wait in it are stamped late by the same time. */
export class EventLoopMonitor {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: INTERVAL_MS });
  #before: ReturnType<typeof performance.eventLoopUtilization> = performance.eventLoopUtilization();

  /** Starts a new measurement. */
  start(): void {
    this.#histogram.enable();
    this.#histogram.reset();
    this.#before = performance.eventLoopUtilization();
  }

  /** Ends the measurement. Returns the event-loop delay and the utilization of the loop, from 0 to 1. */
  stop(): { delay: TimeStats; busy: number } {
    const busy = performance.eventLoopUtilization(this.#before).utilization;
    this.#histogram.disable();
    return { delay: toTimeStats(this.#histogram, INTERVAL_MS * 1e6), busy };
  }
}
