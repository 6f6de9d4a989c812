import { setMaxListeners } from 'node:events';
import type { Frame } from '@org/core';
import { Endpoint, type Fetching, type Scrape } from './endpoint/endpoint.ts';
import type { EndpointEvent } from './endpoint/eventReporter.ts';
import { ScrapeCost } from './endpoint/scrapeCost.ts';
import type { Target } from './endpoint/target.ts';
import type { Clock } from './schedule/clock.ts';
import { Pace } from './schedule/pace.ts';
import { Schedule } from './schedule/schedule.ts';

/** Takes every frame as it comes: a store, a journal, a file. The frame's values are valid during the call only. */
export type FrameSink = (endpoint: Endpoint, frame: Frame) => void;

export interface CollectorOptions {
  readonly targets: readonly Target[];
  readonly clock: Clock;
  /** Between two scrapes of an endpoint whose target says nothing else, in ms. */
  readonly intervalMs: number;
  /** Makes the connection to one endpoint. */
  readonly fetcher: (target: Target) => Fetching;
  readonly onFrame: FrameSink;
  readonly onEvent?: (event: EndpointEvent) => void;
}

/** An endpoint that has never answered is asked again at most this often. */
const RETRY_MS = 1000;
/** A sample of a barrier may be this old when the barrier is done; an older one is taken again, if that is quick. */
const FRESH_MS = 50;

export interface BarrierOptions {
  /** How long to wait for an endpoint that has been giving data, in ms. */
  readonly limitMs: number;
  /** For one that has not; with 0 it is not asked. */
  readonly troubledMs: number;
  /**
   * For an edge that comes after the barrier: endpoints that answered long before the slowest one are asked again, and ticks
   * scrape nothing meanwhile, so that each one's sample is its last one before the edge, and close to it.
   */
  readonly isFresh?: boolean;
  /** Aborted when nobody is to be waited for any more, as if the limit were over. */
  readonly signal?: AbortSignal;
  /** FailureDescription of samples that come after the limit. */
  readonly onLate?: (endpoint: Endpoint, atNs: bigint) => void;
}

/** The time of the sample that a barrier took of each endpoint, ns since 1970; nothing of those that gave none in time. */
export type BarrierSamples = ReadonlyMap<Endpoint, bigint>;

/** What there is to know of an endpoint's scrapes. */
interface Track {
  readonly pace: Pace;
  readonly cost: ScrapeCost;
  /** Of the last scrape, in ms. */
  durationMs: number;
  isToldSlow: boolean;
}

/**
 * Scrapes all endpoints of a run: each on its own grid of ticks, one scrape under way at a time, none waiting for another.
 */
export class Collector {
  readonly endpoints: readonly Endpoint[];
  readonly #options: CollectorOptions;
  readonly #schedules: Schedule[] = [];
  readonly #tracks = new Map<Endpoint, Track>();
  /** How many barriers are being made behind which ticks are to scrape nothing. */
  #holds = 0;
  readonly #stop = new AbortController();

  constructor(options: CollectorOptions) {
    this.#options = options;
    // Every scrape under way listens; there is no leak to warn of.
    setMaxListeners(0, this.#stop.signal);
    const taken = new Set(options.targets.map(({ url }) => url));
    const claim = (url: string): boolean => !taken.has(url) && Boolean(taken.add(url));
    this.endpoints = options.targets.map(
      target =>
        new Endpoint({
          target,
          fetcher: options.fetcher(target),
          claim,
          ...(options.onEvent ? { onEvent: options.onEvent } : {}),
        }),
    );
    for (const endpoint of this.endpoints) {
      const pace = new Pace(endpoint.target.access?.intervalMs ?? options.intervalMs);
      this.#tracks.set(endpoint, { pace, cost: new ScrapeCost(), durationMs: 0, isToldSlow: false });
    }
  }

  /** How often an endpoint is scraped. */
  paceOf(endpoint: Endpoint): Pace {
    return this.#tracks.get(endpoint)!.pace;
  }

  /** What the scrapes of an endpoint cost. */
  costOf(endpoint: Endpoint): ScrapeCost {
    return this.#tracks.get(endpoint)!.cost;
  }

  /** Scrapes every endpoint at once: a barrier of which nobody asks for the samples. */
  async scrapeAll(limitMs: number, troubledMs: number = limitMs): Promise<void> {
    await this.barrier({ limitMs, troubledMs });
  }

  /**
   * The edge of a phase: scrapes every endpoint at once, behind what is under way, and returns the time of each one's sample.
   * An answer that comes after the limit still counts as a frame.
   */
  async barrier(options: BarrierOptions): Promise<BarrierSamples> {
    const { limitMs, troubledMs, isFresh = false, signal, onLate = () => {} } = options;
    const samples = new Map<Endpoint, bigint>();
    let isOver = false;
    const cancelled = abortOf(signal);
    const round = (endpoints: readonly Endpoint[]): Promise<unknown> =>
      Promise.all(
        endpoints.map(endpoint => {
          const limit = endpoint.health.status === 'active' ? limitMs : troubledMs;
          if (limit <= 0) return undefined;
          const sampled = this.#sample(endpoint, atNs => {
            if (isOver) onLate(endpoint, atNs);
            else samples.set(endpoint, atNs);
          });
          return settledWithin(sampled, limit, cancelled.promise);
        }),
      );
    if (isFresh) this.#holds++;
    try {
      await round(this.endpoints);
      if (isFresh && !signal?.aborted) await round(this.#stale(samples));
    } finally {
      cancelled.release();
      if (isFresh) this.#holds--;
      isOver = true;
    }
    return samples;
  }

  /** The endpoints whose samples have become old while others were waited for, and that can have a new one sooner. */
  #stale(samples: BarrierSamples): readonly Endpoint[] {
    const nowNs = this.#options.clock.nowNs();
    return [...samples].flatMap(([endpoint, atNs]) => {
      const ageMs = Number(nowNs - atNs) / 1e6;
      return ageMs > FRESH_MS && ageMs > 2 * this.#tracks.get(endpoint)!.durationMs ? [endpoint] : [];
    });
  }

  async #sample(endpoint: Endpoint, take: (atNs: bigint) => void): Promise<void> {
    await endpoint.underWay;
    const scrape = await this.#scrape(endpoint);
    if (scrape?.frame) take(scrape.frame.timestampNs);
  }

  /** Begins to scrape at the interval, the endpoints spread over it. */
  start(): void {
    const { clock } = this.#options;
    this.endpoints.forEach((endpoint, index) => {
      const intervalMs = this.paceOf(endpoint).baseMs;
      const offsetMs = (intervalMs * index) / this.endpoints.length;
      const onTick = this.#ticker(endpoint);
      const schedule = new Schedule({ clock, intervalMs, offsetMs, onTick });
      this.#schedules.push(schedule);
      schedule.start();
    });
  }

  /** Ends the ticks. Scrapes under way go on. */
  pause(): void {
    for (const schedule of this.#schedules.splice(0)) schedule.stop();
  }

  /** Ends everything: ticks, scrapes under way, connections. */
  async close(): Promise<void> {
    this.pause();
    this.#stop.abort();
    await Promise.all(this.endpoints.map(endpoint => endpoint.underWay));
    await Promise.all(this.endpoints.map(endpoint => endpoint.close()));
  }

  /**
   * What a tick does. One that finds the scrape of an earlier tick still under way is late: it is skipped and counted. One
   * that meets a barrier is served by that, and one that the endpoint's pace leaves out was never meant.
   */
  #ticker(endpoint: Endpoint): (missed: number, tick: number) => void {
    const { health } = endpoint;
    const { pace } = this.#tracks.get(endpoint)!;
    let ticked = false;
    let retryAtMs = 0;
    return (missed, tick) => {
      if (health.isLeftAlone || this.#holds > 0) return;
      if (health.status === 'no_data') {
        const nowMs = this.#options.clock.monotonicMs();
        if (nowMs < retryAtMs) return;
        retryAtMs = nowMs + RETRY_MS;
      } else {
        const isDue = pace.due(tick, tick) > 0;
        health.lateScrapes += pace.due(tick - missed, tick - 1) + (isDue && ticked ? 1 : 0);
        if (!isDue) return;
      }
      if (endpoint.underWay) return;
      ticked = true;
      void this.#scrape(endpoint).finally(() => {
        ticked = false;
      });
    };
  }

  async #scrape(endpoint: Endpoint): Promise<Scrape | undefined> {
    if (endpoint.health.isLeftAlone || endpoint.underWay) return endpoint.underWay;
    const scrape = await endpoint.scrape(this.#stop.signal);
    if (scrape.frame) this.#options.onFrame(endpoint, scrape.frame);
    this.#account(endpoint, scrape);
    return scrape;
  }

  #account(endpoint: Endpoint, { fetched, frame, failure }: Scrape): void {
    const track = this.#tracks.get(endpoint)!;
    // A scrape that failed at once says nothing of what an answer costs; one that ran out of time does.
    if (frame || failure?.reason === 'timeout') track.cost.add(fetched);
    track.durationMs = fetched.durationMs;
    // What comes before the ticks, the first contact above all, says little of how the scrapes will be.
    if (this.#schedules.length === 0) return;
    if (track.pace.took(fetched.durationMs) === 'slower') this.#tellSlow(endpoint, track);
  }

  /** Once an endpoint: how its interval goes on changing stands in the export. */
  #tellSlow({ url }: Endpoint, track: Track): void {
    if (track.isToldSlow) return;
    track.isToldSlow = true;
    const { pace, durationMs } = track;
    const took = `took ${seconds(durationMs)} for a scrape, longer than the interval of ${seconds(pace.baseMs)}`;
    const message = `endpoint '${url}' ${took}; it is scraped less often while that is so, every ${seconds(pace.intervalMs)} now`;
    this.#options.onEvent?.({ kind: 'slow', url, message });
  }
}

/** `0.333 s`. */
function seconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}

async function settledWithin(
  work: Promise<unknown>,
  limitMs: number,
  cancelled: Promise<void>,
): Promise<void> {
  let end: () => void = () => {};
  const limit = new Promise<void>(resolve => {
    end = resolve;
  });
  const timer = setTimeout(end, limitMs);
  await Promise.race([work, limit, cancelled]);
  clearTimeout(timer);
}

/** Resolves when a signal is aborted. One listener, however many wait: Node warns of more than ten. */
function abortOf(signal: AbortSignal | undefined): { promise: Promise<void>; release: () => void } {
  let end: () => void = () => {};
  const promise = new Promise<void>(resolve => {
    end = resolve;
  });
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  return { promise, release: () => signal?.removeEventListener('abort', end) };
}
