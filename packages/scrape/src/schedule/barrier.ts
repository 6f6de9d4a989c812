import type { Clock } from '@org/core';
import type { Endpoint } from '../endpoint/endpoint.ts';

/**
 * Maximum age of a barrier sample, in milliseconds, with `needsFreshSamples`. Endpoints with older samples
 * are scraped again, unless they are slow to respond.
 */
const MAX_SAMPLE_AGE_MS = 50;

export interface BarrierOptions {
  /** Maximum time to wait for an active endpoint, in milliseconds. */
  readonly limitMs: number;
  /** Maximum time to wait for an endpoint that is not active, in milliseconds; 0 skips such endpoints. */
  readonly inactiveLimitMs: number;
  /**
   * True if samples must be recent when the barrier ends, which is required at the start of a phase.
   * Endpoints that responded long before the slowest endpoint are scraped again. Ticks are suspended during
   * the barrier, so that the barrier sample of each endpoint is its last sample before the phase.
   */
  readonly needsFreshSamples?: boolean;
  /** Ends the barrier when aborted, as if the time limits had expired. */
  readonly signal?: AbortSignal;
  /**
   * Receives each sample that arrives after the barrier has ended, with its time in nanoseconds since 1970.
   */
  readonly onLate?: (endpoint: Endpoint, atNs: bigint) => void;
}

/**
 * The time of each endpoint's barrier sample, in nanoseconds since 1970. Endpoints that did not respond in
 * time are absent.
 */
export type BarrierSamples = ReadonlyMap<Endpoint, bigint>;

/** The endpoints of a barrier, and how they are scraped. */
export interface BarrierScrapes {
  readonly endpoints: readonly Endpoint[];
  readonly clock: Clock;
  /** Scrapes an endpoint after any in-flight scrape. `onSample` receives the time of a successful scrape. */
  readonly sample: (endpoint: Endpoint, onSample: (atNs: bigint) => void) => Promise<void>;
  /** Returns the duration of the last scrape of an endpoint, in milliseconds. */
  readonly getDurationMs: (endpoint: Endpoint) => number;
}

/** Scrapes every endpoint once, in parallel, and waits for the samples within the time limits of the options. */
export class Barrier {
  readonly #options: BarrierOptions;
  readonly #scrapes: BarrierScrapes;
  readonly #samples = new Map<Endpoint, bigint>();
  #hasEnded = false;

  constructor(options: BarrierOptions, scrapes: BarrierScrapes) {
    this.#options = options;
    this.#scrapes = scrapes;
  }

  async takeSamples(): Promise<BarrierSamples> {
    const { needsFreshSamples = false, signal } = this.#options;
    const cancellation = waitForAbort(signal);
    try {
      await this.#sampleAll(this.#scrapes.endpoints, cancellation.promise);
      if (needsFreshSamples && !signal?.aborted)
        await this.#sampleAll(this.#findStale(), cancellation.promise);
    } finally {
      cancellation.release();
      this.#hasEnded = true;
    }
    return this.#samples;
  }

  async #sampleAll(endpoints: readonly Endpoint[], cancelled: Promise<void>): Promise<void> {
    const { limitMs, inactiveLimitMs, onLate = () => {} } = this.#options;
    await Promise.all(
      endpoints.map(endpoint => {
        const limit = endpoint.health.status === 'active' ? limitMs : inactiveLimitMs;
        if (limit <= 0) return undefined;
        const sampling = this.#scrapes.sample(endpoint, atNs => {
          if (this.#hasEnded) onLate(endpoint, atNs);
          else this.#samples.set(endpoint, atNs);
        });
        return waitAtMost(sampling, limit, cancelled);
      }),
    );
  }

  /**
   * Returns the endpoints with a barrier sample older than `MAX_SAMPLE_AGE_MS` whose next scrape is expected
   * to take less than half of that sample's age.
   */
  #findStale(): readonly Endpoint[] {
    const { clock, getDurationMs } = this.#scrapes;
    const nowNs = clock.nowNs();
    return [...this.#samples].flatMap(([endpoint, atNs]) => {
      const ageMs = Number(nowNs - atNs) / 1e6;
      return ageMs > MAX_SAMPLE_AGE_MS && ageMs > 2 * getDurationMs(endpoint) ? [endpoint] : [];
    });
  }
}

/** Waits until `work` or `cancelled` resolves or the time limit expires, whichever is first. */
async function waitAtMost(work: Promise<unknown>, limitMs: number, cancelled: Promise<void>): Promise<void> {
  let resolveLimit: () => void = () => {};
  const limitExpired = new Promise<void>(resolve => {
    resolveLimit = resolve;
  });
  const limitTimer = setTimeout(resolveLimit, limitMs);
  await Promise.race([work, limitExpired, cancelled]);
  clearTimeout(limitTimer);
}

/**
 * Returns a promise that resolves when the signal is aborted, and a function that removes its listener. All
 * waits of a barrier share the promise, because Node warns about more than ten listeners of a signal.
 */
function waitForAbort(signal: AbortSignal | undefined): { promise: Promise<void>; release: () => void } {
  let resolveAborted: () => void = () => {};
  const promise = new Promise<void>(resolve => {
    resolveAborted = resolve;
  });
  if (signal?.aborted) resolveAborted();
  signal?.addEventListener('abort', resolveAborted);
  return { promise, release: () => signal?.removeEventListener('abort', resolveAborted) };
}
