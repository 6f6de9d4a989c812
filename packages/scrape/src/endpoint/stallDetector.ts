import type { Scrape } from './scrape.ts';

/** Minimum duration of a scrape that is unusually long, in milliseconds. */
const MIN_STALL_MS = 2000;
/** Minimum ratio of its duration to the longest duration of a successful scrape. */
const MIN_STALL_RATIO = 3;

/** Detects scrapes of one endpoint that take unusually long. */
export class StallDetector {
  /** The longest duration of a successful scrape, in milliseconds. */
  #maxDurationMs = 0;

  /** Records the duration of a successful scrape, in milliseconds. */
  recordSuccess(durationMs: number): void {
    this.#maxDurationMs = Math.max(this.#maxDurationMs, durationMs);
  }

  /** Reports whether a scrape without a result is unusually long after this time, in milliseconds. */
  isStall(durationMs: number): boolean {
    return durationMs > Math.max(MIN_STALL_MS, MIN_STALL_RATIO * this.#maxDurationMs);
  }

  /**
   * Converts a scrape that was aborted at the end of the run to a timeout if it had been waiting for a response for
   * unusually long. Otherwise, a server that stops responding shortly before the end would look active.
   */
  failIfStalled(scrape: Scrape): Scrape {
    const { fetched, failure } = scrape;
    const hasResponse = fetched.firstByteNs !== undefined;
    if (failure?.reason !== 'stopped' || hasResponse || !this.isStall(fetched.durationMs)) return scrape;
    const seconds = (fetched.durationMs / 1000).toFixed(1);
    const message = `did not respond for ${seconds} s, until the end of the run`;
    return { fetched, failure: { ...failure, reason: 'timeout', message } };
  }
}
