import { EndpointStore } from '@org/core';
import {
  type Clock,
  Collector,
  type Endpoint,
  type EndpointEvent,
  Fetcher,
  type Fetching,
  type Target,
} from '@org/scrape';
import type { EndpointRecord, HealthRecord, RunRecord } from '../run.ts';
import type { Settings } from '../settings.ts';

/** Bytes that a body may have on the wire and decompressed; a vLLM body has 0.1 MB. */
const ENCODED_BYTES = 64 * 1024 * 1024;
const DECODED_BYTES = 256 * 1024 * 1024;

/** What the barrier at a phase edge waits for a slow endpoint, at most. */
const EDGE_LIMIT_MS = 2000;

export interface CollectionOptions {
  readonly targets: readonly Target[];
  readonly clock: Clock;
  readonly settings: Settings;
  readonly onEvent: (event: EndpointEvent) => void;
}

/**
 * The collection of a run: its endpoints, what they said, and the moments that cut it into phases.
 */
export class Collection {
  readonly collector: Collector;
  readonly #clock: Clock;
  readonly #settings: Settings;
  readonly #stores = new Map<Endpoint, EndpointStore>();
  readonly #startNs: bigint;
  #profilingStartNs: bigint | undefined;
  #profilingEndNs: bigint | undefined;

  constructor({ targets, clock, settings, onEvent }: CollectionOptions) {
    this.#clock = clock;
    this.#settings = settings;
    this.#startNs = clock.nowNs();
    this.collector = new Collector({
      targets,
      clock,
      intervalMs: settings.intervalMs,
      fetcher: target => fetcherOf(target, clock, settings),
      onFrame: (endpoint, frame) => this.#stores.get(endpoint)!.append(frame),
      onEvent,
    });
    for (const endpoint of this.collector.endpoints)
      this.#stores.set(endpoint, new EndpointStore(endpoint.layout));
  }

  get endpoints(): readonly Endpoint[] {
    return this.collector.endpoints;
  }

  /** First contact with every endpoint, all at once; returns how many gave data. */
  async reach(): Promise<number> {
    await this.collector.scrapeAll(this.#settings.reachabilityMs);
    return this.endpoints.filter(({ health }) => health.status === 'active').length;
  }

  /** The scrape of all endpoints that deltas are counted from, should profiling begin now. */
  async baseline(): Promise<void> {
    await this.collector.scrapeAll(EDGE_LIMIT_MS);
  }

  /** Begins to scrape at the interval. */
  start(): void {
    this.collector.start();
  }

  /** Profiling begins now; what was scraped so far is warm-up. */
  beginProfiling(): void {
    this.#profilingStartNs = this.#clock.nowNs();
  }

  /** Profiling ends now; one more scrape of each endpoint captures the end state. */
  async endProfiling(): Promise<void> {
    this.#profilingEndNs = this.#clock.nowNs();
    await this.collector.scrapeAll(this.#settings.reachabilityMs);
  }

  /** Ends all scraping; scrapes under way get the shutdown delay. */
  async close(): Promise<void> {
    this.collector.pause();
    const underWay = Promise.all(this.endpoints.map(endpoint => endpoint.underWay));
    await Promise.race([
      underWay,
      new Promise(resolve => setTimeout(resolve, this.#settings.shutdownMs).unref()),
    ]);
    await this.collector.close();
  }

  /** What the run left behind. A run that never came to profiling has an empty period at its end. */
  record(about: Pick<RunRecord, 'benchmarkId' | 'version' | 'cancelled' | 'inputConfig'>): RunRecord {
    const endNs = this.#clock.nowNs();
    const profilingEnd = this.#profilingEndNs ?? endNs;
    return {
      ...about,
      startNs: this.#startNs,
      endNs,
      period: { startNs: this.#profilingStartNs ?? profilingEnd, endNs: profilingEnd },
      endpoints: this.endpoints.map(endpoint => this.#endpointRecord(endpoint)),
    };
  }

  #endpointRecord(endpoint: Endpoint): EndpointRecord {
    return {
      url: endpoint.url,
      configuredUrl: endpoint.target.url,
      store: this.#stores.get(endpoint)!,
      health: healthRecord(endpoint),
    };
  }
}

function fetcherOf(target: Target, clock: Clock, settings: Settings): Fetching {
  const { credentials } = target;
  const limits = {
    timeoutMs: settings.reachabilityMs,
    encodedBytes: ENCODED_BYTES,
    decodedBytes: DECODED_BYTES,
  };
  if (!credentials) return new Fetcher({ clock, limits });
  const basic = Buffer.from(`${credentials.user}:${credentials.password}`, 'utf8').toString('base64');
  return new Fetcher({ clock, limits, headers: { authorization: `Basic ${basic}` } });
}

function healthRecord({ health }: Endpoint): HealthRecord {
  const last = health.lastOutage;
  return {
    status: health.status,
    last_error: last?.message ?? null,
    scrapes_failed: health.failedScrapes,
    scrapes_late: health.lateScrapes,
    samples_dropped: health.droppedSamples,
    lines_dropped: health.badLines,
    bytes: health.bytes,
    outages: health.outages.map(({ startNs, endNs, scrapes, reason, message }) => ({
      start_ns: startNs,
      ...(endNs === undefined ? {} : { end_ns: endNs }),
      scrapes,
      reason,
      message,
    })),
    unsupported: [...health.unsupported],
  };
}
