import type { Clock, Frame } from '@org/core';
import { Endpoint } from './endpoint/endpoint.ts';
import { EndpointKeys } from './endpoint/endpointKeys.ts';
import type { EndpointEvent } from './endpoint/eventReporter.ts';
import type { UrlFetcher } from './endpoint/pageScraper.ts';
import type { Scrape } from './endpoint/scrape.ts';
import { ScrapeCost } from './endpoint/scrapeCost.ts';
import type { Target } from './endpoint/target.ts';
import { AdaptiveInterval } from './schedule/adaptiveInterval.ts';
import { Barrier, type BarrierOptions, type BarrierSamples } from './schedule/barrier.ts';
import { Schedule } from './schedule/schedule.ts';
import { ScrapeTicks } from './schedule/scrapeTicks.ts';

/** Receives the frame of each successful scrape. `frame.values` is valid only during the call. */
export type FrameSink = (endpoint: Endpoint, frame: Frame) => void;

export interface CollectorOptions {
  readonly targets: readonly Target[];
  readonly clock: Clock;
  /** Default scrape interval, in milliseconds. */
  readonly intervalMs: number;
  /** Creates the fetcher of one endpoint. */
  readonly createFetcher: (target: Target) => UrlFetcher;
  readonly onFrame: FrameSink;
  readonly onEvent?: (event: EndpointEvent) => void;
}

/** The scrape state of one endpoint. */
interface EndpointState {
  /** Aborts the in-flight scrape when the endpoint is removed or the run ends. */
  stop: AbortController;
  /** Present while the endpoint is scraped periodically. */
  schedule?: Schedule;
  readonly interval: AdaptiveInterval;
  readonly cost: ScrapeCost;
  /** Duration of the last scrape, in milliseconds. */
  durationMs: number;
  isReportedSlow: boolean;
}

/** Spreads the ticks of added endpoints over the interval; successive multiples of the golden ratio are far apart. */
const OFFSET_STEP = 0.618034;

/**
 * Scrapes all endpoints of a run on a fixed schedule. Endpoints are independent of each other, and each has
 * at most one scrape in flight. Endpoints can be added and removed at any time.
 */
export class Collector {
  readonly #endpoints: Endpoint[] = [];
  readonly #options: CollectorOptions;
  readonly #keys = new EndpointKeys();
  #isScheduled = false;
  readonly #states = new Map<Endpoint, EndpointState>();
  /** Number of barriers in progress that suspend ticks. */
  #suspensions = 0;
  #isClosed = false;
  /** The removals in progress: connections are closed after the in-flight scrape. */
  readonly #removals = new Set<Promise<void>>();

  constructor(options: CollectorOptions) {
    this.#options = options;
    for (const target of options.targets) this.add(target);
  }

  /** All endpoints in the order of their addition, including removed ones. The array grows when endpoints are added. */
  get endpoints(): readonly Endpoint[] {
    return this.#endpoints;
  }

  /** Adds an endpoint, which is scraped periodically if the collector has started. */
  add(target: Target): Endpoint {
    const { createFetcher, intervalMs, onEvent } = this.#options;
    const endpoint = new Endpoint({
      target,
      fetcher: createFetcher(target),
      key: this.#keys.add(target.url),
      claim: url => this.#keys.claim(url),
      ...(onEvent ? { onEvent } : {}),
    });
    const interval = new AdaptiveInterval(target.access?.intervalMs ?? intervalMs);
    this.#states.set(endpoint, {
      stop: new AbortController(),
      interval,
      cost: new ScrapeCost(),
      durationMs: 0,
      isReportedSlow: false,
    });
    this.#endpoints.push(endpoint);
    if (this.#isScheduled) this.#schedule(endpoint, (OFFSET_STEP * this.#endpoints.length) % 1);
    return endpoint;
  }

  /** Stops scraping an endpoint, and aborts its in-flight scrape. Its data is kept. */
  remove(endpoint: Endpoint): void {
    const state = this.#states.get(endpoint)!;
    state.schedule?.stop();
    delete state.schedule;
    this.#keys.release(endpoint.target.url);
    this.#keys.release(endpoint.url);
    const removal = endpoint
      .remove(this.#options.clock.nowNs())
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
    state.stop.abort();
  }

  /** Scrapes a removed endpoint again. */
  restore(endpoint: Endpoint): void {
    const { createFetcher, clock } = this.#options;
    this.#keys.reuse(endpoint.target.url);
    this.#keys.reuse(endpoint.url);
    this.#states.get(endpoint)!.stop = new AbortController();
    endpoint.restore(clock.nowNs(), createFetcher(endpoint.target));
    if (this.#isScheduled) this.#schedule(endpoint, (OFFSET_STEP * this.#endpoints.length) % 1);
  }

  /** Returns the adaptive interval of an endpoint. */
  getInterval(endpoint: Endpoint): AdaptiveInterval {
    return this.#states.get(endpoint)!.interval;
  }

  /** Returns the durations and transfer sizes of an endpoint's scrapes. */
  getCost(endpoint: Endpoint): ScrapeCost {
    return this.#states.get(endpoint)!.cost;
  }

  /** Scrapes every endpoint once, in parallel, within the time limits of `BarrierOptions`. */
  async scrapeAll(limitMs: number, inactiveLimitMs: number = limitMs): Promise<void> {
    await this.takeBarrierSamples({ limitMs, inactiveLimitMs });
  }

  /**
   * Takes a barrier scrape, which marks the start or end of a phase: scrapes every endpoint once, after any
   * in-flight scrape, and returns the times of the samples. Frames that arrive after the time limit are
   * still passed to `onFrame`.
   */
  async takeBarrierSamples(options: BarrierOptions): Promise<BarrierSamples> {
    const barrier = new Barrier(options, {
      endpoints: this.endpoints,
      clock: this.#options.clock,
      sample: (endpoint, onSample) => this.#sample(endpoint, onSample),
      getDurationMs: endpoint => this.#states.get(endpoint)!.durationMs,
    });
    const { needsFreshSamples = false } = options;
    if (needsFreshSamples) this.#suspensions++;
    try {
      return await barrier.takeSamples();
    } finally {
      if (needsFreshSamples) this.#suspensions--;
    }
  }

  async #sample(endpoint: Endpoint, onSample: (atNs: bigint) => void): Promise<void> {
    await endpoint.inFlight;
    const scrape = await this.#scrape(endpoint);
    if (scrape?.frame) onSample(scrape.frame.timestampNs);
  }

  /** Starts periodic scraping. The first ticks of the endpoints are spread evenly over the interval. */
  start(): void {
    this.#isScheduled = true;
    const listed = this.endpoints.filter(({ health }) => health.status !== 'removed');
    for (const [index, endpoint] of listed.entries()) this.#schedule(endpoint, index / listed.length);
  }

  /** Starts the ticks of an endpoint. `offset` is the fraction of the interval before the first tick. */
  #schedule(endpoint: Endpoint, offset: number): void {
    const { clock } = this.#options;
    const intervalMs = this.getInterval(endpoint).baseMs;
    const onTick = this.#createTickHandler(endpoint);
    const schedule = new Schedule({ clock, intervalMs, offsetMs: intervalMs * offset, onTick });
    this.#states.get(endpoint)!.schedule = schedule;
    schedule.start();
  }

  /** Stops the ticks. In-flight scrapes continue. */
  pause(): void {
    this.#isScheduled = false;
    for (const state of this.#states.values()) {
      state.schedule?.stop();
      delete state.schedule;
    }
  }

  /** Stops the ticks, aborts in-flight scrapes and closes all connections. */
  async close(): Promise<void> {
    this.pause();
    this.#isClosed = true;
    for (const { stop } of this.#states.values()) stop.abort();
    await Promise.all([...this.#removals, ...this.endpoints.map(endpoint => endpoint.inFlight)]);
    await Promise.all(this.endpoints.map(endpoint => endpoint.close()));
  }

  /** Returns the tick handler of an endpoint. Ticks of excluded endpoints and ticks during a barrier do not count. */
  #createTickHandler(endpoint: Endpoint): (missed: number, tick: number) => void {
    const ticks = new ScrapeTicks({
      endpoint,
      interval: this.getInterval(endpoint),
      clock: this.#options.clock,
      scrape: () => this.#scrape(endpoint),
    });
    return (missed, tick) => {
      if (!endpoint.health.isExcluded && this.#suspensions === 0) ticks.handle(missed, tick);
    };
  }

  async #scrape(endpoint: Endpoint): Promise<Scrape | undefined> {
    if (endpoint.health.isExcluded || endpoint.inFlight || this.#isClosed) return endpoint.inFlight;
    const scrape = await endpoint.scrape(this.#states.get(endpoint)!.stop.signal);
    // The response to a removed endpoint may be from the server that replaced it.
    if (endpoint.health.status === 'removed') return undefined;
    if (scrape.frame) this.#options.onFrame(endpoint, scrape.frame);
    this.#record(endpoint, scrape);
    return scrape;
  }

  #record(endpoint: Endpoint, { fetched, frame, failure }: Scrape): void {
    const state = this.#states.get(endpoint)!;
    // Other failures, such as a refused connection, end quickly and would lower the quantiles.
    if (frame || failure?.reason === 'timeout') state.cost.add(fetched);
    state.durationMs = fetched.durationMs;
    // Scrapes before `start` include connection setup and do not represent the regular duration.
    if (!this.#isScheduled) return;
    // An endpoint that does not respond is not slow. A longer interval would only delay its recovery.
    if (failure?.reason === 'timeout') return;
    if (state.interval.recordDuration(fetched.durationMs) === 'increased') this.#reportSlow(endpoint, state);
  }

  /** Reports the first interval increase of an endpoint. Later ones are only recorded in the export. */
  #reportSlow({ url }: Endpoint, state: EndpointState): void {
    if (state.isReportedSlow) return;
    state.isReportedSlow = true;
    const { interval, durationMs } = state;
    const slowScrape = `a scrape took ${formatSeconds(durationMs)}, longer than the ${formatSeconds(interval.baseMs)} interval`;
    const message = `endpoint '${url}': ${slowScrape}; scrape interval increased to ${formatSeconds(interval.intervalMs)}`;
    this.#options.onEvent?.({ kind: 'slow', url, message });
  }
}

/** Formats a duration in seconds, such as `0.333 s`. */
function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}
