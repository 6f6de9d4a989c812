import type { Clock } from '@org/core';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { EndpointHealth } from '../endpoint/health.ts';
import type { Scrape } from '../endpoint/scrape.ts';
import type { AdaptiveInterval } from './adaptiveInterval.ts';

/** Minimum time between scrapes of an endpoint that has never been scraped successfully, in milliseconds. */
const RETRY_INTERVAL_MS = 1000;

/** The endpoint that is scraped at ticks, and how. */
export interface ScrapeTicksOptions {
  readonly endpoint: Pick<Endpoint, 'inFlight'> & {
    readonly health: Pick<EndpointHealth, 'status' | 'lateScrapes'>;
  };
  readonly interval: AdaptiveInterval;
  readonly clock: Clock;
  /** Scrapes the endpoint. Returns undefined if it was removed meanwhile. */
  readonly scrape: () => Promise<Scrape | undefined>;
}

/**
 * Decides at each tick whether an endpoint is scraped. A tick is skipped if a scrape is still in flight. It counts as
 * late if the scrape was started by an earlier tick and succeeds; while an endpoint does not respond, it is
 * failing, not slow. Ticks that were missed because the process was busy count as late, too. Ticks that the adaptive
 * interval leaves out, and ticks before the first successful scrape do not count.
 */
export class ScrapeTicks {
  readonly #options: ScrapeTicksOptions;
  #isTickInFlight = false;
  /** Number of ticks that were skipped because of the in-flight scrape. */
  #blockedTicks = 0;
  #retryAtMs = 0;

  constructor(options: ScrapeTicksOptions) {
    this.#options = options;
  }

  /** Handles a tick. `missed` is the number of ticks before it that were skipped because the process was busy. */
  handle(missed: number, tick: number): void {
    const { endpoint } = this.#options;
    const isDue = endpoint.health.status === 'no_data' ? this.#isRetryDue() : this.#countTicks(missed, tick);
    if (isDue && !endpoint.inFlight) this.#startScrape();
  }

  /** Reports whether an endpoint without data is due. */
  #isRetryDue(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs < this.#retryAtMs) return false;
    this.#retryAtMs = nowMs + RETRY_INTERVAL_MS;
    return true;
  }

  /** Counts late ticks. Returns whether the adaptive interval includes this tick. */
  #countTicks(missed: number, tick: number): boolean {
    const { endpoint, interval } = this.#options;
    const isDue = interval.countDue(tick, tick) > 0;
    const missedTicks = interval.countDue(tick - missed, tick - 1);
    if (this.#isTickInFlight) this.#blockedTicks += missedTicks + (isDue ? 1 : 0);
    else endpoint.health.lateScrapes += missedTicks;
    return isDue;
  }

  #startScrape(): void {
    const { endpoint, scrape } = this.#options;
    this.#isTickInFlight = true;
    void scrape().then(result => {
      if (result?.frame) endpoint.health.lateScrapes += this.#blockedTicks;
      this.#blockedTicks = 0;
      this.#isTickInFlight = false;
    });
  }
}
