import { Layout } from '@org/core';
import type { FetchResult } from '../http/exchange.ts';
import type { Failure } from '../http/failure.ts';
import { tryAlternatives } from './alternativeUrls.ts';
import { type EndpointEvent, EndpointEventReporter } from './eventReporter.ts';
import { EndpointHealth } from './health.ts';
import { PageScraper, type UrlFetcher } from './pageScraper.ts';
import { ResetDetector } from './resetDetector.ts';
import type { Scrape } from './scrape.ts';
import { StallDetector } from './stallDetector.ts';
import type { Target } from './target.ts';
import { redactTargetLabels, type TargetLabels } from './targetLabels.ts';
import { TargetSecrets } from './targetSecrets.ts';

export interface EndpointOptions {
  readonly target: Target;
  readonly fetcher: UrlFetcher;
  readonly onEvent?: (event: EndpointEvent) => void;
  /** Identifies the endpoint in exports; the URL of the target by default. */
  readonly key?: string;
  /**
   * Reserves an alternative URL for this endpoint. Returns the key of the endpoint at this URL; undefined if another
   * endpoint already uses the URL.
   */
  readonly claim?: (url: string) => string | undefined;
}

/**
 * An endpoint during a run: its current URL, latest values and health.
 *
 * Until the first success, every failed scrape also tries other URLs: `<base>/prometheus/metrics` for a page
 * that is not in Prometheus format, and the alternatives of the target if the server responded. The endpoint
 * switches to the first URL that works. If none works and a page was not in Prometheus format, the endpoint
 * is disabled for the rest of the run.
 */
export class Endpoint {
  readonly target: Target;
  readonly layout: Layout;
  readonly health: EndpointHealth;
  #fetcher: UrlFetcher;
  readonly #events: EndpointEventReporter;
  readonly #claim: (url: string) => string | undefined;
  readonly #pages: PageScraper;
  readonly #stalls = new StallDetector();
  readonly #resetDetector: ResetDetector;
  #url: string;
  #key: string;
  #labels: TargetLabels | undefined;
  #hasSucceeded = false;
  #latest: Float64Array | undefined;
  #samples = 0;
  #inFlight: Promise<Scrape> | undefined;
  /** Start of the in-flight scrape, as a `performance.now()` timestamp. */
  #inFlightStartMs = 0;

  constructor({ target, fetcher, onEvent, claim, key = target.url }: EndpointOptions) {
    this.#claim = claim ?? (url => url);
    this.target = target;
    this.#fetcher = fetcher;
    this.#url = target.url;
    this.#key = key;
    this.#labels = redactTargetLabels(target.labels);
    this.layout = new Layout();
    const secrets = new TargetSecrets(target);
    this.#pages = new PageScraper(target, secrets, this.layout);
    this.#events = new EndpointEventReporter(key, secrets, onEvent);
    this.#resetDetector = new ResetDetector(this.layout);
    this.health = new EndpointHealth();
  }

  /**
   * Identifies the endpoint in exports: the URL that is scraped, which is the target's URL or an alternative if the
   * metrics were found there. If the run has several endpoints with this URL, the URL of the second one ends in `#2`.
   */
  get url(): string {
    return this.#key;
  }

  /** The labels of the target, by name; undefined if it has none. Values of labels whose name suggests a secret are redacted. */
  get labels(): TargetLabels | undefined {
    return this.#labels;
  }

  /** The values of the last successful scrape, by slot. The next scrape overwrites the array. */
  get latest(): Float64Array | undefined {
    return this.#latest;
  }

  /** Total number of samples in all successful scrapes so far. */
  get samples(): number {
    return this.#samples;
  }

  /** The in-flight scrape, if any. */
  get inFlight(): Promise<Scrape> | undefined {
    return this.#inFlight;
  }

  /**
   * Time for which the in-flight scrape has had no result, in milliseconds; 0 if it is not unusually long. An endpoint
   * that does not respond is still active until its scrape times out.
   */
  get stalledMs(): number {
    const elapsedMs = this.#inFlight ? performance.now() - this.#inFlightStartMs : 0;
    return this.#stalls.isStall(elapsedMs) ? elapsedMs : 0;
  }

  /** Scrapes once. Must not be called while a scrape is in flight or after the endpoint has been excluded. */
  scrape(signal?: AbortSignal): Promise<Scrape> {
    if (this.#inFlight) throw new Error(`BUG: two scrapes of ${this.#url} at once`);
    this.#inFlightStartMs = performance.now();
    this.#inFlight = this.#scrape(signal).finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  /** Replaces the labels of the target. Returns whether they changed. */
  setLabels(labels: Target['labels']): boolean {
    const redacted = redactTargetLabels(labels);
    if (JSON.stringify(redacted) === JSON.stringify(this.#labels)) return false;
    this.#labels = redacted;
    return true;
  }

  /** Records the addition to an active run, at a time in nanoseconds since 1970. */
  markAdded(atNs: bigint): void {
    this.health.addedNs = atNs;
    this.#events.reportAdded();
  }

  /**
   * Excludes the endpoint from further scrapes, and closes its connections after the in-flight scrape, which the caller
   * aborts.
   */
  async remove(atNs: bigint): Promise<void> {
    this.health.remove(atNs);
    this.#events.reportRemoved();
    const fetcher = this.#fetcher;
    await this.#inFlight;
    await fetcher.close();
  }

  /** Scrapes a removed endpoint again, with another fetcher. */
  restore(atNs: bigint, fetcher: UrlFetcher): void {
    this.#fetcher = fetcher;
    this.health.restore(atNs);
    this.#events.reportReturned();
  }

  async #scrape(signal: AbortSignal | undefined): Promise<Scrape> {
    let scrape = await this.#pages.scrape(this.#fetcher, this.#url, signal);
    if (!this.#hasSucceeded && scrape.failure) scrape = await this.#tryAlternatives(scrape, signal);
    scrape = this.#stalls.failIfStalled(scrape);
    this.#recordOutcome(scrape);
    return scrape;
  }

  /**
   * Switches to the first other URL that works. If none works, returns the scrape with the most specific failure. If
   * another endpoint already uses the URL, returns a failure with the reason `duplicate`.
   */
  async #tryAlternatives(first: Scrape, signal: AbortSignal | undefined): Promise<Scrape> {
    if (this.target.isExact) return first;
    const { found, failed } = await tryAlternatives(this.target, this.#url, first, other =>
      this.#pages.scrape(this.#fetcher, other, signal),
    );
    if (!found) return failed;
    const { url, scrape } = found;
    const key = this.#claim(url);
    return key === undefined ? toDuplicateScrape(url, scrape) : this.#switchUrl(url, key, failed, scrape);
  }

  #switchUrl(url: string, key: string, { fetched, failure }: Scrape, scrape: Scrape): Scrape {
    this.#events.reportUrlChange(fetched.url, failure!, key);
    this.#url = url;
    this.#key = key;
    return scrape;
  }

  #recordOutcome(scrape: Scrape): void {
    const { fetched, failure, reading } = scrape;
    const previousStatus = this.health.status;
    if (!failure) {
      this.#hasSucceeded = true;
      this.#stalls.recordSuccess(fetched.durationMs);
      this.#latest = reading!.values;
      this.#samples += reading!.samples;
      const isFirstSuccess = previousStatus === 'no_data' && this.health.failedScrapes > 0;
      this.#detectReset(scrape);
      this.health.recordSuccess(fetched, reading!);
      if (previousStatus === 'failing' || isFirstSuccess)
        this.#events.reportRecovery(isFirstSuccess, this.health.isFlapping);
      const [change] = this.health.addressChanges;
      if (change) this.#events.reportAddressChange(change);
      this.#events.reportOmissions(reading!);
      return;
    }
    if (failure.reason === 'stopped') return;
    if (failure.reason === 'duplicate') {
      this.#markDuplicate(fetched, failure);
      return;
    }
    this.health.recordFailure(fetched, failure);
    if (!this.#hasSucceeded && failure.reason === 'not_prometheus') {
      this.health.exclude('disabled');
      this.#events.reportDisabled(fetched.url, failure);
    } else if (previousStatus === 'active' && !this.health.isFlapping) this.#events.reportFailure(failure);
  }

  #detectReset({ fetched, reading }: Scrape): void {
    const reset = reading!.changed ? this.#resetDetector.observe(reading!.values) : undefined;
    if (reset === undefined) return;
    this.health.recordReset(fetched, reset);
    this.#events.reportReset(reset);
  }

  #markDuplicate({ sentNs }: FetchResult, { reason, message }: Failure): void {
    this.health.exclude('duplicate');
    this.health.lastOutage = { startNs: sentNs, scrapes: 0, reason, message };
    this.#events.reportDuplicate(message);
  }
}

/** Returns a failed scrape for a metrics page that another endpoint already scrapes. */
function toDuplicateScrape(url: string, { fetched }: Scrape): Scrape {
  return {
    fetched,
    failure: { reason: 'duplicate', message: `serves its metrics at ${url}, like another endpoint` },
  };
}
