import type { Frame } from '@org/core';
import type { Clock } from './clock.ts';
import { Endpoint, type EndpointEvent, type Fetching, type Scrape } from './endpoint.ts';
import { Schedule } from './schedule.ts';
import type { Target } from './target.ts';

/** Takes every frame as it comes: a store, a journal, a file. The frame's values are valid during the call only. */
export type FrameSink = (endpoint: Endpoint, frame: Frame) => void;

export interface CollectorOptions {
  readonly targets: readonly Target[];
  readonly clock: Clock;
  /** Between two scrapes of an endpoint, in ms. */
  readonly intervalMs: number;
  /** Makes the connection to one endpoint. */
  readonly fetcher: (target: Target) => Fetching;
  readonly onFrame: FrameSink;
  readonly onEvent?: (event: EndpointEvent) => void;
}

/** An endpoint that has never answered is asked again at most this often. */
const RETRY_MS = 1000;

/**
 * Scrapes all endpoints of a run: each on its own grid of ticks, one scrape under way at a time, none waiting for another.
 */
export class Collector {
  readonly endpoints: readonly Endpoint[];
  readonly #options: CollectorOptions;
  readonly #schedules: Schedule[] = [];
  readonly #stop = new AbortController();

  constructor(options: CollectorOptions) {
    this.#options = options;
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
  }

  /**
   * Scrapes every endpoint at once, behind what is under way, and waits for the answers: `limitMs` for an endpoint that has
   * been giving data, `troubledMs` for one that has not. An answer that comes later still counts as a frame.
   */
  async scrapeAll(limitMs: number, troubledMs: number = limitMs): Promise<void> {
    await Promise.all(
      this.endpoints.map(endpoint => {
        const limit = endpoint.health.status === 'active' ? limitMs : troubledMs;
        return limit > 0 ? settledWithin(this.#scrapeNext(endpoint), limit) : undefined;
      }),
    );
  }

  async #scrapeNext(endpoint: Endpoint): Promise<void> {
    await endpoint.underWay;
    await this.#scrape(endpoint);
  }

  /** Begins to scrape at the interval, the endpoints spread over it. */
  start(): void {
    const { clock, intervalMs } = this.#options;
    this.endpoints.forEach((endpoint, index) => {
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
   * that meets a scrape of all endpoints at a phase edge is served by that.
   */
  #ticker(endpoint: Endpoint): (missed: number) => void {
    const { health } = endpoint;
    let ticked = false;
    let retryAtMs = 0;
    return missed => {
      if (health.isLeftAlone) return;
      if (health.status === 'no_data') {
        const nowMs = this.#options.clock.monotonicMs();
        if (nowMs < retryAtMs) return;
        retryAtMs = nowMs + RETRY_MS;
      } else {
        health.lateScrapes += missed + (ticked ? 1 : 0);
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
    return scrape;
  }
}

async function settledWithin(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
