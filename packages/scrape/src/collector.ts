import { setMaxListeners } from 'node:events';
import type { Clock, Frame } from '@org/core';
import { Endpoint, type Scrape, type UrlFetcher } from './endpoint/endpoint.ts';
import type { EndpointEvent } from './endpoint/eventReporter.ts';
import { ScrapeCost } from './endpoint/scrapeCost.ts';
import type { Target } from './endpoint/target.ts';
import { AdaptiveInterval } from './schedule/adaptiveInterval.ts';
import { Schedule } from './schedule/schedule.ts';

/** Receives every frame, for a store or a journal. The frame's values are valid only during the call. */
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

/** Minimum time between scrapes of an endpoint that has never succeeded. */
const RETRY_INTERVAL_MS = 1000;
/**
 * With `needsFreshSamples`, older samples of a barrier are replaced before it ends, unless that takes long.
 */
const MAX_SAMPLE_AGE_MS = 50;

export interface BarrierOptions {
  /** Maximum time to wait for an active endpoint, in milliseconds. */
  readonly limitMs: number;
  /** Maximum time to wait for any other endpoint, in milliseconds; 0 skips those endpoints. */
  readonly inactiveLimitMs: number;
  /**
   * True for a barrier that precedes the start of a phase. Endpoints that responded long before the slowest
   * one are then scraped again, and ticks are suspended, so that the sample of each endpoint is its last one
   * before the start, and close to it.
   */
  readonly needsFreshSamples?: boolean;
  /** Ends the wait when aborted, as if the time limit had expired. */
  readonly signal?: AbortSignal;
  /** Receives the times of samples that arrive after the time limit. */
  readonly onLate?: (endpoint: Endpoint, atNs: bigint) => void;
}

/**
 * Time of each endpoint's barrier sample, in nanoseconds since 1970. Endpoints without a sample in time are
 * missing.
 */
export type BarrierSamples = ReadonlyMap<Endpoint, bigint>;

/** The scrape state of one endpoint. */
interface EndpointState {
  readonly interval: AdaptiveInterval;
  readonly cost: ScrapeCost;
  /** Duration of the last scrape, in milliseconds. */
  durationMs: number;
  isReportedSlow: boolean;
}

/**
 * Scrapes all endpoints of a run. Each has its own grid of ticks and at most one scrape in flight, and none
 * waits for another.
 */
export class Collector {
  readonly endpoints: readonly Endpoint[];
  readonly #options: CollectorOptions;
  readonly #schedules: Schedule[] = [];
  readonly #states = new Map<Endpoint, EndpointState>();
  /** Number of barriers in progress that suspend ticks. */
  #suspensions = 0;
  readonly #stop = new AbortController();

  constructor(options: CollectorOptions) {
    this.#options = options;
    // Every in-flight scrape adds a listener; this is not a leak.
    setMaxListeners(0, this.#stop.signal);
    const taken = new Set(options.targets.map(({ url }) => url));
    const claim = (url: string): boolean => !taken.has(url) && Boolean(taken.add(url));
    this.endpoints = options.targets.map(
      target =>
        new Endpoint({
          target,
          fetcher: options.createFetcher(target),
          claim,
          ...(options.onEvent ? { onEvent: options.onEvent } : {}),
        }),
    );
    for (const endpoint of this.endpoints) {
      const interval = new AdaptiveInterval(endpoint.target.access?.intervalMs ?? options.intervalMs);
      this.#states.set(endpoint, { interval, cost: new ScrapeCost(), durationMs: 0, isReportedSlow: false });
    }
  }

  /** Returns the adaptive interval of an endpoint. */
  getInterval(endpoint: Endpoint): AdaptiveInterval {
    return this.#states.get(endpoint)!.interval;
  }

  /** Returns the cost of an endpoint's scrapes. */
  getCost(endpoint: Endpoint): ScrapeCost {
    return this.#states.get(endpoint)!.cost;
  }

  /** Scrapes every endpoint once, in parallel. */
  async scrapeAll(limitMs: number, inactiveLimitMs: number = limitMs): Promise<void> {
    await this.takeBarrierSamples({ limitMs, inactiveLimitMs });
  }

  /**
   * Takes a barrier scrape, which marks the start or end of a phase: scrapes every endpoint once, after any
   * in-flight scrape, and returns the times of the samples. Responses that arrive after the time limit still
   * count as frames.
   */
  async takeBarrierSamples(options: BarrierOptions): Promise<BarrierSamples> {
    const { limitMs, inactiveLimitMs, needsFreshSamples = false, signal, onLate = () => {} } = options;
    const samples = new Map<Endpoint, bigint>();
    let isOver = false;
    const cancellation = waitForAbort(signal);
    const sampleAll = (endpoints: readonly Endpoint[]): Promise<unknown> =>
      Promise.all(
        endpoints.map(endpoint => {
          const limit = endpoint.health.status === 'active' ? limitMs : inactiveLimitMs;
          if (limit <= 0) return undefined;
          const sampling = this.#sample(endpoint, atNs => {
            if (isOver) onLate(endpoint, atNs);
            else samples.set(endpoint, atNs);
          });
          return waitAtMost(sampling, limit, cancellation.promise);
        }),
      );
    if (needsFreshSamples) this.#suspensions++;
    try {
      await sampleAll(this.endpoints);
      if (needsFreshSamples && !signal?.aborted) await sampleAll(this.#findStale(samples));
    } finally {
      cancellation.release();
      if (needsFreshSamples) this.#suspensions--;
      isOver = true;
    }
    return samples;
  }

  /**
   * Returns the endpoints whose samples became old while others were awaited, if a new scrape is likely to be
   * quick.
   */
  #findStale(samples: BarrierSamples): readonly Endpoint[] {
    const nowNs = this.#options.clock.nowNs();
    return [...samples].flatMap(([endpoint, atNs]) => {
      const ageMs = Number(nowNs - atNs) / 1e6;
      return ageMs > MAX_SAMPLE_AGE_MS && ageMs > 2 * this.#states.get(endpoint)!.durationMs
        ? [endpoint]
        : [];
    });
  }

  async #sample(endpoint: Endpoint, onSample: (atNs: bigint) => void): Promise<void> {
    await endpoint.inFlight;
    const scrape = await this.#scrape(endpoint);
    if (scrape?.frame) onSample(scrape.frame.timestampNs);
  }

  /** Starts scraping at the interval, with the endpoints spread over it. */
  start(): void {
    const { clock } = this.#options;
    this.endpoints.forEach((endpoint, index) => {
      const intervalMs = this.getInterval(endpoint).baseMs;
      const offsetMs = (intervalMs * index) / this.endpoints.length;
      const onTick = this.#createTickHandler(endpoint);
      const schedule = new Schedule({ clock, intervalMs, offsetMs, onTick });
      this.#schedules.push(schedule);
      schedule.start();
    });
  }

  /** Stops the ticks. In-flight scrapes continue. */
  pause(): void {
    for (const schedule of this.#schedules.splice(0)) schedule.stop();
  }

  /** Stops the ticks, aborts in-flight scrapes and closes all connections. */
  async close(): Promise<void> {
    this.pause();
    this.#stop.abort();
    await Promise.all(this.endpoints.map(endpoint => endpoint.inFlight));
    await Promise.all(this.endpoints.map(endpoint => endpoint.close()));
  }

  /**
   * Returns the tick handler of an endpoint. A tick during the scrape of an earlier tick is skipped and
   * counted as late. A tick during a barrier scrape is covered by it, and ticks beyond the adaptive interval
   * do not count.
   */
  #createTickHandler(endpoint: Endpoint): (missed: number, tick: number) => void {
    const { health } = endpoint;
    const { interval } = this.#states.get(endpoint)!;
    let isTickInFlight = false;
    let retryAtMs = 0;
    return (missed, tick) => {
      if (health.isExcluded || this.#suspensions > 0) return;
      if (health.status === 'no_data') {
        const nowMs = this.#options.clock.monotonicMs();
        if (nowMs < retryAtMs) return;
        retryAtMs = nowMs + RETRY_INTERVAL_MS;
      } else {
        const isDue = interval.countDue(tick, tick) > 0;
        health.lateScrapes += interval.countDue(tick - missed, tick - 1) + (isDue && isTickInFlight ? 1 : 0);
        if (!isDue) return;
      }
      if (endpoint.inFlight) return;
      isTickInFlight = true;
      void this.#scrape(endpoint).finally(() => {
        isTickInFlight = false;
      });
    };
  }

  async #scrape(endpoint: Endpoint): Promise<Scrape | undefined> {
    if (endpoint.health.isExcluded || endpoint.inFlight) return endpoint.inFlight;
    const scrape = await endpoint.scrape(this.#stop.signal);
    if (scrape.frame) this.#options.onFrame(endpoint, scrape.frame);
    this.#record(endpoint, scrape);
    return scrape;
  }

  #record(endpoint: Endpoint, { fetched, frame, failure }: Scrape): void {
    const state = this.#states.get(endpoint)!;
    // Immediate failures say nothing about the cost of a response; timeouts do.
    if (frame || failure?.reason === 'timeout') state.cost.add(fetched);
    state.durationMs = fetched.durationMs;
    // Scrapes before the first tick, such as the first contact, are not representative.
    if (this.#schedules.length === 0) return;
    if (state.interval.recordDuration(fetched.durationMs) === 'increased') this.#reportSlow(endpoint, state);
  }

  /** Reports a slow endpoint once. Further changes of its interval are recorded in the export. */
  #reportSlow({ url }: Endpoint, state: EndpointState): void {
    if (state.isReportedSlow) return;
    state.isReportedSlow = true;
    const { interval, durationMs } = state;
    const took = `a scrape took ${formatSeconds(durationMs)}, longer than the ${formatSeconds(interval.baseMs)} interval`;
    const message = `endpoint '${url}': ${took}; scrape interval increased to ${formatSeconds(interval.intervalMs)}`;
    this.#options.onEvent?.({ kind: 'slow', url, message });
  }
}

/** Formats a duration in seconds, such as `0.333 s`. */
function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}

/** Waits for `work`, up to a time limit, or until `cancelled` resolves. */
async function waitAtMost(work: Promise<unknown>, limitMs: number, cancelled: Promise<void>): Promise<void> {
  let end: () => void = () => {};
  const limit = new Promise<void>(resolve => {
    end = resolve;
  });
  const timer = setTimeout(end, limitMs);
  await Promise.race([work, limit, cancelled]);
  clearTimeout(timer);
}

/**
 * Returns a promise that resolves when the signal is aborted, for all waiters of a barrier: a listener for each
 * would exceed the ten listeners above which Node warns.
 */
function waitForAbort(signal: AbortSignal | undefined): { promise: Promise<void>; release: () => void } {
  let end: () => void = () => {};
  const promise = new Promise<void>(resolve => {
    end = resolve;
  });
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  return { promise, release: () => signal?.removeEventListener('abort', end) };
}
