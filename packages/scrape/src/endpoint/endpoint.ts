import { type Frame, Layout } from '@org/core';
import { type ExpositionFormat, formatOf } from '../exposition/contentType.ts';
import { ExpositionError } from '../exposition/exposition.ts';
import { ExpositionReader, type Reading } from '../exposition/expositionReader.ts';
import type { Fetched } from '../http/exchange.ts';
import { type Failure, FetchError } from '../http/failure.ts';
import { type BodyLimits, checkLabels, checkSampleCount, DEFAULT_LIMITS } from '../http/limits.ts';
import { type EndpointEvent, EndpointEventReporter } from './eventReporter.ts';
import { EndpointHealth } from './health.ts';
import { ResetDetector } from './resetDetector.ts';
import { SecretMask } from './secretMask.ts';
import { fetchUrl, prometheusFallback, type Target } from './target.ts';

/** Fetches one URL; `Fetcher` in the product. */
export interface Fetching {
  fetch(url: string, signal?: AbortSignal): Promise<Fetched>;
  close(): Promise<void>;
}

/** One try to scrape an endpoint. */
export interface Scrape {
  /** Its body has been read, and is not to be read again. */
  readonly fetched: Fetched;
  /** There unless there is a failure. Its values are valid until the endpoint's next scrape. */
  readonly frame?: Frame;
  readonly reading?: Reading;
  readonly failure?: Failure;
}

export interface EndpointOptions {
  readonly target: Target;
  readonly fetcher: Fetching;
  readonly onEvent?: (event: EndpointEvent) => void;
  /** Whether this endpoint may take its data from a URL that was found in url of the target's: none may have it already. */
  readonly claim?: (url: string) => boolean;
}

/**
 * One endpoint during a run: where it is, whether it speaks Prometheus, what it said last and how it has fared.
 *
 * Compatibility is decided at the first answer (seed 002, "Compatibility & auto-disable"): what is not an exposition leads
 * to one probe of `<base>/prometheus/metrics`, and then to the swap of the URL or to silence for the rest of the run.
 */
export class Endpoint {
  readonly target: Target;
  readonly layout: Layout;
  readonly health: EndpointHealth;
  readonly #fetcher: Fetching;
  readonly #events: EndpointEventReporter;
  readonly #claim: (url: string) => boolean;
  readonly #reader: ExpositionReader;
  readonly #limits: BodyLimits;
  readonly #mask: SecretMask;
  readonly #resetDetector: ResetDetector;
  #url: string;
  #hasSucceeded = false;
  #latest: Float64Array | undefined;
  #samples = 0;
  #underWay: Promise<Scrape> | undefined;

  constructor({ target, fetcher, onEvent, claim }: EndpointOptions) {
    this.#claim = claim ?? (() => true);
    this.target = target;
    this.#fetcher = fetcher;
    this.#url = target.url;
    this.layout = new Layout();
    const limits = { ...DEFAULT_LIMITS, ...target.access?.limits };
    this.#limits = limits;
    this.#reader = new ExpositionReader(this.layout, exposition => checkLabels(exposition, limits));
    this.#mask = new SecretMask(target);
    this.#events = new EndpointEventReporter(target.url, this.#mask, onEvent);
    this.#resetDetector = new ResetDetector(this.layout);
    this.health = new EndpointHealth();
  }

  /** The URL whose data this is: the target's, unless its metrics turned out to be elsewhere. */
  get url(): string {
    return this.#url;
  }

  /** Value by slot of the last scrape that gave data; changes with the next one. */
  get latest(): Float64Array | undefined {
    return this.#latest;
  }

  /** Samples of all scrapes so far. */
  get samples(): number {
    return this.#samples;
  }

  /** The scrape that is under way, if any. */
  get underWay(): Promise<Scrape> | undefined {
    return this.#underWay;
  }

  /** Scrapes once. Must not be called while a scrape is under way, nor once the endpoint is disabled. */
  scrape(signal?: AbortSignal): Promise<Scrape> {
    if (this.#underWay) throw new Error(`BUG: two scrapes of ${this.#url} at once`);
    this.#underWay = this.#scrape(signal).finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  async #scrape(signal: AbortSignal | undefined): Promise<Scrape> {
    let scrape = await this.#get(this.#url, signal);
    if (!this.#hasSucceeded && scrape.failure) scrape = await this.#tryAlternatives(scrape, signal);
    this.#recordOutcome(scrape);
    return scrape;
  }

  async #get(url: string, signal: AbortSignal | undefined): Promise<Scrape> {
    const fetched = await this.#fetcher.fetch(fetchUrl(this.target, url), signal);
    if (!fetched.body) return { fetched, failure: this.#redact(fetched.failure!) };
    this.#mask.body(fetched.body);
    try {
      checkSampleCount(fetched.body, this.#limits);
      const format = formatOf(fetched.contentType) as ExpositionFormat;
      const reading = this.#reader.read(fetched.body, format);
      return { fetched, reading, frame: toFrame(fetched, reading) };
    } catch (error) {
      if (error instanceof FetchError) {
        const { reason, message } = error;
        return { fetched, failure: this.#redact({ reason, message, cause: error }) };
      }
      if (!(error instanceof ExpositionError)) throw error;
      return { fetched, failure: this.#redact(notPrometheusFailure(error)) };
    } finally {
      fetched.release?.();
    }
  }

  /** What a server says may repeat what it was sent. */
  #redact(failure: Failure): Failure {
    return { ...failure, message: this.#mask.text(failure.message) };
  }

  /**
   * At the first contact only: other urls where the metrics may be, when the server answered at all. What is no exposition
   * has its fallback tried; then the alternatives. The failure to report is that of the page that came closest.
   */
  async #tryAlternatives(first: Scrape, signal: AbortSignal | undefined): Promise<Scrape> {
    const urls = first.fetched.status === undefined ? [] : [...this.target.alternatives];
    let closest = first;
    enqueueFallback(urls, this.#url, first);
    for (let url = urls.shift(); url !== undefined; url = urls.shift()) {
      const scrape = await this.#get(url, signal);
      if (scrape.frame)
        return this.#claim(url) ? this.#swap(url, closest, scrape) : duplicateScrape(url, scrape);
      if (closest.failure!.reason !== 'not_prometheus') closest = isNotPrometheus(scrape) ? scrape : closest;
      enqueueFallback(urls, url, scrape);
    }
    return closest;
  }

  #swap(url: string, { fetched, failure }: Scrape, scrape: Scrape): Scrape {
    this.#events.reportSwap(fetched.url, failure!, url);
    this.#url = url;
    return scrape;
  }

  #recordOutcome(scrape: Scrape): void {
    const { fetched, failure, reading } = scrape;
    const was = this.health.status;
    if (!failure) {
      this.#hasSucceeded = true;
      this.#latest = reading!.values;
      this.#samples += reading!.samples;
      const late = was === 'no_data' && this.health.failedScrapes > 0;
      this.#detectReset(scrape);
      this.health.succeeded(fetched, reading!);
      if (was === 'failing' || late) this.#events.reportRecovery(late, this.health.isFlapping);
      const [move] = this.health.addressChanges;
      if (move) this.#events.reportAddressChange(move);
      this.#events.reportOmissions(reading!);
      return;
    }
    if (failure.reason === 'stopped') return;
    if (failure.reason === 'duplicate') {
      this.#markDuplicate(fetched, failure);
      return;
    }
    this.health.failed(fetched, failure);
    if (!this.#hasSucceeded && failure.reason === 'not_prometheus') {
      this.health.leaveAlone('disabled');
      this.#events.reportDisabled(fetched.url, failure);
    } else if (was === 'active' && !this.health.isFlapping) this.#events.reportLost(failure);
  }

  #detectReset({ fetched, reading }: Scrape): void {
    const counters = reading!.changed ? this.#resetDetector.next(reading!.values) : undefined;
    if (counters === undefined) return;
    this.health.reset(fetched, counters);
    this.#events.reportReset(counters);
  }

  #markDuplicate({ sentNs }: Fetched, { reason, message }: Failure): void {
    this.health.leaveAlone('duplicate');
    this.health.lastOutage = { startNs: sentNs, scrapes: 0, reason, message };
    this.#events.reportDuplicate(message);
  }
}

/** What is no exposition has `<base>/prometheus/metrics` looked at next (seed 002, "TRT-LLM fallback"). */
function enqueueFallback(urls: string[], url: string, scrape: Scrape): void {
  const fallback = isNotPrometheus(scrape) ? prometheusFallback(url) : undefined;
  if (fallback !== undefined) urls.unshift(fallback);
}

function isNotPrometheus({ failure }: Scrape): boolean {
  return failure?.reason === 'not_prometheus';
}

/** What was found belongs to another endpoint: no frame of this one. */
function duplicateScrape(url: string, { fetched }: Scrape): Scrape {
  return {
    fetched,
    failure: { reason: 'duplicate', message: `has its metrics at ${url}, as another endpoint has` },
  };
}

function toFrame(fetched: Fetched, reading: Reading): Frame {
  const timestampNs = fetched.firstByteNs!;
  return {
    timestampNs,
    latencyNs: Number(timestampNs - fetched.sentNs),
    changed: reading.changed,
    values: reading.values,
  };
}

function notPrometheusFailure(error: ExpositionError): Failure {
  const message = `returned a body that is not Prometheus exposition format (${error.message})`;
  return { reason: 'not_prometheus', message, cause: error };
}
