import { EndpointStore, type Frame, type StoreMemory } from '@org/core';
import type { EndpointRecord, MarkRecord, RunRecord, ScrapingRecord, SettlingRecord } from '@org/record';
import { MARK } from '@org/record/journal';
import {
  type Clock,
  Collector,
  type Endpoint,
  type EndpointEvent,
  type JournalWriter,
  type Target,
} from '@org/scrape';
import { Edges } from './edges.ts';
import { fetcherOf } from './fetcher.ts';
import { healthRecord } from './healthRecord.ts';
import type { Settings } from './scrapeSettings.ts';
import { type FrameListener, settle } from './settling.ts';

/** What the barrier at a phase edge waits for a slow endpoint, at most, where the load goes on meanwhile. */
export const EDGE_LIMIT_MS = 2000;

export interface CollectionOptions {
  readonly targets: readonly Target[];
  readonly clock: Clock;
  readonly settings: Settings;
  readonly startNs: bigint;
  readonly journal: JournalWriter;
  /** What the stores of all endpoints may use together. */
  readonly memory: StoreMemory;
  readonly onEvent: (event: EndpointEvent) => void;
}

/** How often the health of the endpoints is written into the journal, ms. */
const HEALTH_MS = 5000;
/** After what happens to one of them, ms. */
const HEALTH_SOON_MS = 250;

/**
 * The collection of a run: its endpoints, what they said, and the moments that cut it into phases.
 */
export class Collection {
  readonly collector: Collector;
  readonly #clock: Clock;
  readonly #settings: Settings;
  readonly #stores = new Map<Endpoint, EndpointStore>();
  readonly #indices = new Map<Endpoint, number>();
  readonly #journal: JournalWriter;
  readonly #startNs: bigint;
  #healthTimer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  readonly #edges: Edges;
  readonly #marks: MarkRecord[] = [];
  readonly #settling: SettlingRecord[] = [];
  /** What is told of each frame while the servers are to stand still. */
  #onFrame: FrameListener | undefined;
  readonly #cpuBefore = process.cpuUsage();
  #isStarted = false;

  constructor({ targets, clock, settings, startNs, journal, memory, onEvent }: CollectionOptions) {
    this.#clock = clock;
    this.#settings = settings;
    this.#startNs = startNs;
    this.#journal = journal;
    this.#edges = new Edges(clock, journal, endpoint => this.#indices.get(endpoint)!);
    this.collector = new Collector({
      targets,
      clock,
      intervalMs: settings.intervalMs,
      fetcher: target => fetcherOf(target, clock, settings),
      onFrame: (endpoint, frame) => this.#keep(endpoint, frame),
      onEvent: event => {
        onEvent(event);
        this.#journalHealthSoon();
      },
    });
    this.endpoints.forEach((endpoint, index) => {
      this.#stores.set(endpoint, new EndpointStore(endpoint.layout, memory));
      this.#indices.set(endpoint, index);
      journal.endpoint(index, { url: endpoint.url, configuredUrl: endpoint.target.url });
    });
  }

  get endpoints(): readonly Endpoint[] {
    return this.collector.endpoints;
  }

  /** First contact with every endpoint, all at once; returns how many gave data. */
  async reach(): Promise<number> {
    await this.collector.scrapeAll(this.#settings.reachabilityMs);
    return this.endpoints.filter(({ health }) => health.status === 'active').length;
  }

  /** A scrape of all endpoints, so that there is a sample from before whatever comes next. */
  async baseline(): Promise<void> {
    await this.collector.scrapeAll(EDGE_LIMIT_MS, 0);
  }

  /** Begins to scrape at the interval, unless that has begun. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.collector.start();
    this.#healthTimer = setInterval(() => {
      this.#journalHealth();
      this.#journalCost();
    }, HEALTH_MS);
    this.#healthTimer.unref();
  }

  /**
   * Scrapes until the counters of all servers stand still, for `limitSeconds` at most or until `signal` is aborted. How that
   * ended goes to the export.
   */
  async settle(edge: 'start' | 'end', limitSeconds: number, signal: AbortSignal): Promise<SettlingRecord> {
    this.start();
    const active = this.endpoints.filter(({ health }) => health.status === 'active');
    const watch = (listener: FrameListener | undefined): void => {
      this.#onFrame = listener;
    };
    const settled = await settle({
      edge,
      endpoints: active,
      limitSeconds,
      signal,
      watch,
      clock: this.#clock,
    });
    this.#settling.push(settled);
    this.#journal.mark({ kind: MARK.settled, atNs: this.#clock.nowNs(), data: settled });
    return settled;
  }

  /**
   * Profiling begins: a barrier scrape of all endpoints, and what came before is warm-up. A later begin takes the place of an
   * earlier one. Returns when the period begins, ns since 1970: as soon as the barrier is done.
   *
   * Where nobody loads the servers until then, every endpoint that gives data has the time that any scrape has, behind the one
   * that may be under way. Otherwise `limitMs` is for what a slow one may hold up all others. None is
   * waited for once `signal` is aborted.
   */
  async beginProfiling(signal?: AbortSignal, limitMs?: number): Promise<bigint> {
    const baselines = new Map<Endpoint, bigint>();
    const samples = await this.collector.barrier({
      limitMs: limitMs ?? 2 * this.#settings.reachabilityMs,
      inactiveLimitMs: 0,
      needsFreshSamples: true,
      ...(signal ? { signal } : {}),
      onLate: (endpoint, atNs) => this.#edges.baseline(baselines, endpoint, atNs),
    });
    for (const [endpoint, atNs] of samples) baselines.set(endpoint, atNs);
    const startNs = this.#edges.begin(baselines);
    this.#journalHealth();
    return startNs;
  }

  /**
   * Profiling ends now; the barrier scrape that follows captures the end state. `hurried` when somebody waits. Returns when the
   * period ended, ns since 1970; undefined when it never began.
   */
  async endProfiling(hurried: boolean): Promise<bigint | undefined> {
    if (!this.#edges.hasBegun) return undefined;
    const endNs = this.#edges.end();
    const close = (endpoint: Endpoint, atNs: bigint): void => this.#edges.closing(endpoint, atNs);
    const samples = await this.collector.barrier({
      limitMs: hurried ? EDGE_LIMIT_MS : this.#settings.reachabilityMs,
      inactiveLimitMs: hurried ? 0 : EDGE_LIMIT_MS,
      onLate: close,
    });
    for (const [endpoint, atNs] of samples) close(endpoint, atNs);
    return endNs;
  }

  /** What somebody else says about the run. */
  mark(mark: MarkRecord): void {
    this.#marks.push(mark);
    this.#journal.mark({ kind: MARK.external, atNs: mark.time_ns, data: mark });
  }

  /** Ends all scraping; scrapes under way of endpoints that give data get the shutdown delay, unless somebody waits. */
  async close(hurried: boolean): Promise<void> {
    clearInterval(this.#healthTimer);
    clearTimeout(this.#soon);
    this.collector.pause();
    const active = this.endpoints.filter(({ health }) => health.status === 'active');
    const underWay = Promise.all(active.map(endpoint => endpoint.inFlight));
    const patience = hurried ? 0 : this.#settings.shutdownMs;
    await Promise.race([underWay, new Promise(resolve => setTimeout(resolve, patience).unref())]);
    await this.collector.close();
  }

  /** A frame goes to the store and, so that it outlives this process, to the journal. */
  #keep(endpoint: Endpoint, frame: Frame): void {
    const index = this.#indices.get(endpoint)!;
    this.#stores.get(endpoint)!.append(frame);
    this.#journal.endpoint(index, { url: endpoint.url, configuredUrl: endpoint.target.url });
    this.#journal.append(index, endpoint.layout, frame);
    this.#onFrame?.(endpoint, frame);
  }

  /** What has just changed is known after a kill, too. Of many endpoints that fail at once it is written once. */
  #journalHealthSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#journalHealth();
    }, HEALTH_SOON_MS).unref();
  }

  #journalHealth(): void {
    for (const endpoint of this.endpoints)
      this.#journal.health(this.#indices.get(endpoint)!, healthRecord(endpoint, this.collector));
  }

  #journalCost(): void {
    this.#journal.mark({ kind: MARK.scraping, atNs: this.#clock.nowNs(), data: this.#scraping() });
  }

  #scraping(): ScrapingRecord {
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    const cpuMs = (user + system) / 1000;
    const scrapes = this.endpoints.reduce(
      (sum, { health }) => sum + health.succeededScrapes + health.failedScrapes,
      0,
    );
    return { scrapes, cpu_ms: cpuMs, ...(scrapes > 0 ? { cpu_ms_per_scrape: cpuMs / scrapes } : {}) };
  }

  /** What the run left behind. */
  record(about: Pick<RunRecord, 'benchmarkId' | 'version' | 'cancelled' | 'inputConfig'>): RunRecord {
    const endNs = this.#clock.nowNs();
    this.#journalHealth();
    const scraping = this.#scraping();
    this.#journal.mark({ kind: MARK.scraping, atNs: endNs, data: scraping });
    this.#journal.mark({ kind: MARK.runEnd, atNs: endNs, data: { cancelled: about.cancelled } });
    this.#journal.end();
    return {
      ...about,
      startNs: this.#startNs,
      endNs,
      period: this.#edges.period(endNs),
      ...(this.#marks.length > 0 ? { marks: this.#marks } : {}),
      ...(this.#settling.length > 0 ? { settling: this.#settling } : {}),
      scraping,
      endpoints: this.endpoints.map(endpoint => this.#endpointRecord(endpoint)),
    };
  }

  #endpointRecord(endpoint: Endpoint): EndpointRecord {
    return {
      url: endpoint.url,
      configuredUrl: endpoint.target.url,
      store: this.#stores.get(endpoint)!,
      health: healthRecord(endpoint, this.collector),
      boundaries: this.#edges.of(endpoint),
    };
  }
}
