import { type Frame, Layout } from '@org/core';
import type { Fetched } from './exchange.ts';
import { ExpositionError } from './exposition/exposition.ts';
import { type ExpositionFormat, formatOf } from './exposition/format.ts';
import { ExpositionReader, type Reading } from './exposition/reader.ts';
import type { Failure } from './failure.ts';
import { EndpointHealth } from './health.ts';
import { prometheusFallback, type Target } from './target.ts';

/** Fetches one URL; `Fetcher` in the product. */
export interface Fetching {
  fetch(url: string, signal?: AbortSignal): Promise<Fetched>;
  close(): Promise<void>;
}

/** One try to scrape an endpoint. */
export interface Scrape {
  readonly fetched: Fetched;
  /** There unless there is a failure. Its values are valid until the endpoint's next scrape. */
  readonly frame?: Frame;
  readonly reading?: Reading;
  readonly failure?: Failure;
}

/** Something that happened to an endpoint and that its user should hear of, once. */
export interface EndpointEvent {
  readonly kind: 'swapped' | 'disabled' | 'lost' | 'back' | 'bad_lines' | 'dropped' | 'left_out';
  readonly url: string;
  readonly message: string;
}

export interface EndpointOptions {
  readonly target: Target;
  readonly fetcher: Fetching;
  readonly onEvent?: (event: EndpointEvent) => void;
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
  readonly #onEvent: (event: EndpointEvent) => void;
  readonly #reader: ExpositionReader;
  #url: string;
  #spoken = false;
  #latest: Float64Array | undefined;
  #samples = 0;
  #underWay: Promise<Scrape> | undefined;

  constructor({ target, fetcher, onEvent }: EndpointOptions) {
    this.target = target;
    this.#fetcher = fetcher;
    this.#onEvent = onEvent ?? (() => {});
    this.#url = target.url;
    this.layout = new Layout();
    this.#reader = new ExpositionReader(this.layout);
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
    if (!this.#spoken && scrape.failure) scrape = await this.#lookElsewhere(scrape, signal);
    this.#account(scrape);
    return scrape;
  }

  async #get(url: string, signal: AbortSignal | undefined): Promise<Scrape> {
    const fetched = await this.#fetcher.fetch(url, signal);
    if (!fetched.body) return { fetched, failure: fetched.failure! };
    try {
      const format = formatOf(fetched.contentType) as ExpositionFormat;
      const reading = this.#reader.read(fetched.body, format);
      return { fetched, reading, frame: frameOf(fetched, reading) };
    } catch (error) {
      if (!(error instanceof ExpositionError)) throw error;
      return { fetched, failure: notPrometheus(error) };
    }
  }

  /** At the first contact only: other places where the metrics may be. The first failure is the one to report. */
  async #lookElsewhere(first: Scrape, signal: AbortSignal | undefined): Promise<Scrape> {
    const places = first.fetched.status === 404 ? [...this.target.alternatives] : [];
    let failed = first;
    let from = this.#url;
    for (;;) {
      const fallback = failed.failure!.reason === 'not_prometheus' ? prometheusFallback(from) : undefined;
      const place = fallback ?? places.shift();
      if (place === undefined) return failed.failure!.reason === 'not_prometheus' ? failed : first;
      const scrape = await this.#get(place, signal);
      if (scrape.frame) {
        this.#swap(place, failed.failure!);
        return scrape;
      }
      if (fallback !== undefined && places.length === 0) return failed;
      if (scrape.failure!.reason !== 'not_prometheus') continue;
      failed = scrape;
      from = place;
    }
  }

  #swap(url: string, why: Failure): void {
    this.#event('swapped', `endpoint '${this.#url}' ${why.message}; scraping ${url} instead`);
    this.#url = url;
  }

  #account(scrape: Scrape): void {
    const { fetched, failure, reading } = scrape;
    const was = this.health.status;
    if (!failure) {
      this.#spoken = true;
      this.#latest = reading!.values;
      this.#samples += reading!.samples;
      this.health.succeeded(fetched, reading!);
      if (was === 'failing') this.#event('back', `endpoint '${this.#url}' is back`);
      this.#reportLosses(reading!);
      return;
    }
    if (failure.reason === 'stopped') return;
    this.health.failed(fetched, failure);
    if (!this.#spoken && failure.reason === 'not_prometheus') this.#disable(failure);
    else if (was === 'active')
      this.#event('lost', `endpoint '${this.#url}' ${failure.message}; it is tried again`);
  }

  #disable(failure: Failure): void {
    this.health.disabled();
    const advice = 'To suppress this warning, pass --no-server-metrics.';
    const what = `Disabling server metrics collection for ${this.#url}`;
    this.#event('disabled', `${what}: endpoint '${this.#url}' ${failure.message}. ${advice}`);
  }

  readonly #reported = new Set<string>();

  /** Each kind of loss is said once; how often it happened is counted. */
  #reportLosses({ badLines, badLineCount, dropped, left }: Reading): void {
    const bad = badLines[0];
    if (bad)
      this.#once('bad_lines', `${badLineCount} line(s) left out, the first: line ${bad.line}: ${bad.reason}`);
    if (dropped > 0) this.#once('dropped', `${dropped} sample(s) without a finite value left out`);
    if (left.unsupported.length > 0)
      this.#once('left_out', `no statistics for ${left.unsupported.join(', ')}`);
  }

  #once(kind: EndpointEvent['kind'], message: string): void {
    if (this.#reported.has(kind)) return;
    this.#reported.add(kind);
    this.#event(kind, `endpoint '${this.#url}': ${message}`);
  }

  #event(kind: EndpointEvent['kind'], message: string): void {
    this.#onEvent({ kind, url: this.#url, message });
  }
}

function frameOf(fetched: Fetched, reading: Reading): Frame {
  const timestampNs = fetched.firstByteNs!;
  return {
    timestampNs,
    latencyNs: Number(timestampNs - fetched.sentNs),
    changed: reading.changed,
    values: reading.values,
  };
}

function notPrometheus(error: ExpositionError): Failure {
  const message = `returned a body that is not Prometheus exposition format (${error.message})`;
  return { reason: 'not_prometheus', message, cause: error };
}
