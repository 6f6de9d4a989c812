import { type Frame, Layout } from '@org/core';
import type { Reading } from '../exposition/bodyState.ts';
import { detectFormat, type ExpositionFormat } from '../exposition/contentType.ts';
import { ExpositionError } from '../exposition/exposition.ts';
import { ExpositionReader } from '../exposition/expositionReader.ts';
import type { FetchResult } from '../http/exchange.ts';
import { type Failure, FetchError } from '../http/failure.ts';
import { type BodyLimits, checkLabels, checkSampleCount, DEFAULT_LIMITS } from '../http/limits.ts';
import { type EndpointEvent, EndpointEventReporter } from './eventReporter.ts';
import { EndpointHealth } from './health.ts';
import { ResetDetector } from './resetDetector.ts';
import { restoreQuerySecrets, type Target, toFallbackUrl } from './target.ts';
import { redactTargetLabels, type TargetLabels } from './targetLabels.ts';
import { TargetSecrets } from './targetSecrets.ts';

/** Fetches URLs for one endpoint. Implemented by `Fetcher`, and by fakes in tests. */
export interface UrlFetcher {
  fetch(url: string, signal?: AbortSignal): Promise<FetchResult>;
  close(): Promise<void>;
}

/** The outcome of one scrape. */
export interface Scrape {
  /** The HTTP exchange. Its body buffer has been released and must not be read. */
  readonly fetched: FetchResult;
  /** The parsed sample; undefined if `failure` is set. `values` is valid until the endpoint's next scrape. */
  readonly frame?: Frame;
  readonly reading?: Reading;
  readonly failure?: Failure;
}

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

/** Minimum duration of a scrape that is unusually long, in milliseconds. */
const MIN_STALL_MS = 2000;
/** Minimum ratio of its duration to the longest duration of a successful scrape. */
const MIN_STALL_RATIO = 3;

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
  readonly #reader: ExpositionReader;
  readonly #limits: BodyLimits;
  readonly #secrets: TargetSecrets;
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
  /** The longest duration of a successful scrape, in milliseconds. */
  #maxDurationMs = 0;

  constructor({ target, fetcher, onEvent, claim, key = target.url }: EndpointOptions) {
    this.#claim = claim ?? (url => url);
    this.target = target;
    this.#fetcher = fetcher;
    this.#url = target.url;
    this.#key = key;
    this.#labels = redactTargetLabels(target.labels);
    this.layout = new Layout();
    const limits = { ...DEFAULT_LIMITS, ...target.access?.limits };
    this.#limits = limits;
    this.#reader = new ExpositionReader(this.layout, exposition => checkLabels(exposition, limits));
    this.#secrets = new TargetSecrets(target);
    this.#events = new EndpointEventReporter(key, this.#secrets, onEvent);
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
    return this.#isStall(elapsedMs) ? elapsedMs : 0;
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
    let scrape = await this.#fetchAndParse(this.#url, signal);
    if (!this.#hasSucceeded && scrape.failure) scrape = await this.#tryAlternatives(scrape, signal);
    scrape = this.#failIfStalled(scrape);
    this.#recordOutcome(scrape);
    return scrape;
  }

  /**
   * Converts a scrape that was aborted at the end of the run to a timeout if it had been waiting for a response for
   * unusually long. Otherwise, a server that stops responding shortly before the end would look active.
   */
  #failIfStalled(scrape: Scrape): Scrape {
    const { fetched, failure } = scrape;
    const hasResponse = fetched.firstByteNs !== undefined;
    if (failure?.reason !== 'stopped' || hasResponse || !this.#isStall(fetched.durationMs)) return scrape;
    const seconds = (fetched.durationMs / 1000).toFixed(1);
    const message = `did not respond for ${seconds} s, until the end of the run`;
    return { fetched, failure: { ...failure, reason: 'timeout', message } };
  }

  #isStall(durationMs: number): boolean {
    return durationMs > Math.max(MIN_STALL_MS, MIN_STALL_RATIO * this.#maxDurationMs);
  }

  async #fetchAndParse(url: string, signal: AbortSignal | undefined): Promise<Scrape> {
    const fetched = await this.#fetcher.fetch(restoreQuerySecrets(this.target, url), signal);
    if (!fetched.body) return { fetched, failure: this.#redact(fetched.failure!) };
    this.#secrets.maskBody(fetched.body);
    try {
      checkSampleCount(fetched.body, this.#limits);
      const format = detectFormat(fetched.contentType) as ExpositionFormat;
      const reading = this.#reader.read(fetched.body, format);
      return { fetched, reading, frame: toFrame(fetched, reading) };
    } catch (error) {
      if (error instanceof FetchError) {
        const { reason, message } = error;
        return { fetched, failure: this.#redact({ reason, message, cause: error }) };
      }
      if (!(error instanceof ExpositionError)) throw error;
      return { fetched, failure: this.#redact(toNotPrometheusFailure(error)) };
    } finally {
      fetched.release?.();
    }
  }

  /** Removes secrets that the server may have echoed in an error message. */
  #redact(failure: Failure): Failure {
    return { ...failure, message: this.#secrets.redactText(failure.message) };
  }

  /**
   * Tries other URLs after a failed scrape of an endpoint that has never succeeded: the TensorRT-LLM fallback
   * of each page that is not in Prometheus format, and the alternatives of the target if the server
   * responded. If all fail, returns the scrape with the most specific failure: `not_prometheus` takes
   * precedence over the failure of `first`. If another endpoint already uses the first URL that works,
   * returns a failure with the reason `duplicate`.
   */
  async #tryAlternatives(first: Scrape, signal: AbortSignal | undefined): Promise<Scrape> {
    if (this.target.isExact) return first;
    const urls = first.fetched.status === undefined ? [] : [...this.target.alternatives];
    let reportedScrape = first;
    enqueueFallback(urls, this.#url, first);
    for (let url = urls.shift(); url !== undefined; url = urls.shift()) {
      const scrape = await this.#fetchAndParse(url, signal);
      if (scrape.frame) {
        const key = this.#claim(url);
        return key === undefined
          ? toDuplicateScrape(url, scrape)
          : this.#switchUrl(url, key, reportedScrape, scrape);
      }
      if (reportedScrape.failure!.reason !== 'not_prometheus')
        reportedScrape = isNotPrometheus(scrape) ? scrape : reportedScrape;
      enqueueFallback(urls, url, scrape);
    }
    return reportedScrape;
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
      this.#maxDurationMs = Math.max(this.#maxDurationMs, fetched.durationMs);
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

/** Puts `<base>/prometheus/metrics` first in the queue if the scraped page is not in Prometheus format. */
function enqueueFallback(urls: string[], url: string, scrape: Scrape): void {
  const fallback = isNotPrometheus(scrape) ? toFallbackUrl(url) : undefined;
  if (fallback !== undefined) urls.unshift(fallback);
}

function isNotPrometheus({ failure }: Scrape): boolean {
  return failure?.reason === 'not_prometheus';
}

/** Returns a failed scrape for a metrics page that another endpoint already scrapes. */
function toDuplicateScrape(url: string, { fetched }: Scrape): Scrape {
  return {
    fetched,
    failure: { reason: 'duplicate', message: `serves its metrics at ${url}, like another endpoint` },
  };
}

function toFrame(fetched: FetchResult, reading: Reading): Frame {
  const timestampNs = fetched.firstByteNs!;
  return {
    timestampNs,
    latencyNs: Number(timestampNs - fetched.sentNs),
    changed: reading.changed,
    values: reading.values,
  };
}

function toNotPrometheusFailure(error: ExpositionError): Failure {
  const message = `returned a body that is not Prometheus exposition format (${error.message})`;
  return { reason: 'not_prometheus', message, cause: error };
}
