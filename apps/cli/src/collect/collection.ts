import { EndpointStore, type Frame, type StoreMemory } from '@org/core';
import {
  basicAuthorization,
  type Clock,
  Collector,
  DEFAULT_LIMITS,
  type Endpoint,
  type EndpointEvent,
  Fetcher,
  type Fetching,
  type JournalWriter,
  type Target,
} from '@org/scrape';
import { MARK } from '../journal.ts';
import type { EndpointRecord, RunRecord } from '../run.ts';
import type { Settings } from '../settings.ts';
import { healthRecord } from './healthrecord.ts';

/** What the barrier at a phase edge waits for a slow endpoint, at most. */
const EDGE_LIMIT_MS = 2000;

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
  #profilingStartNs: bigint | undefined;
  #profilingEndNs: bigint | undefined;

  constructor({ targets, clock, settings, startNs, journal, memory, onEvent }: CollectionOptions) {
    this.#clock = clock;
    this.#settings = settings;
    this.#startNs = startNs;
    this.#journal = journal;
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

  /** The scrape of all endpoints that deltas are counted from, should profiling begin now. */
  async baseline(): Promise<void> {
    await this.collector.scrapeAll(EDGE_LIMIT_MS, 0);
  }

  /** Begins to scrape at the interval. */
  start(): void {
    this.collector.start();
    this.#healthTimer = setInterval(() => this.#journalHealth(), HEALTH_MS);
    this.#healthTimer.unref();
  }

  /** Profiling begins now; what was scraped so far is warm-up. */
  beginProfiling(): void {
    this.#profilingStartNs = this.#clock.nowNs();
    this.#journal.mark({ kind: MARK.profilingStart, atNs: this.#profilingStartNs });
    this.#journalHealth();
  }

  /** Profiling ends now; one more scrape of each endpoint captures the end state. `hurried` when somebody waits. */
  async endProfiling(hurried: boolean): Promise<void> {
    if (this.#profilingStartNs === undefined) return;
    this.#profilingEndNs = this.#clock.nowNs();
    this.#journal.mark({ kind: MARK.profilingEnd, atNs: this.#profilingEndNs });
    await this.collector.scrapeAll(
      hurried ? EDGE_LIMIT_MS : this.#settings.reachabilityMs,
      hurried ? 0 : EDGE_LIMIT_MS,
    );
  }

  /** Ends all scraping; scrapes under way of endpoints that give data get the shutdown delay, unless somebody waits. */
  async close(hurried: boolean): Promise<void> {
    clearInterval(this.#healthTimer);
    clearTimeout(this.#soon);
    this.collector.pause();
    const active = this.endpoints.filter(({ health }) => health.status === 'active');
    const underWay = Promise.all(active.map(endpoint => endpoint.underWay));
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
      this.#journal.health(this.#indices.get(endpoint)!, healthRecord(endpoint));
  }

  /** What the run left behind. A run that never came to profiling has an empty period behind its last scrape. */
  record(about: Pick<RunRecord, 'benchmarkId' | 'version' | 'cancelled' | 'inputConfig'>): RunRecord {
    const endNs = this.#clock.nowNs();
    this.#journalHealth();
    this.#journal.mark({ kind: MARK.runEnd, atNs: endNs, data: { cancelled: about.cancelled } });
    this.#journal.end();
    return {
      ...about,
      startNs: this.#startNs,
      endNs,
      period: { startNs: this.#profilingStartNs ?? endNs, endNs: this.#profilingEndNs ?? endNs },
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

/** Settings of the target win over those of the run. */
function fetcherOf(target: Target, clock: Clock, settings: Settings): Fetching {
  const { access, credentials } = target;
  const authorization = credentials
    ? basicAuthorization(credentials.user, credentials.password)
    : access?.authorization;
  const limits = { ...DEFAULT_LIMITS, ...access?.limits };
  return new Fetcher({
    clock,
    limits: { ...limits, timeoutMs: access?.timeoutMs ?? settings.reachabilityMs },
    ...(access?.headers ? { headers: access.headers } : {}),
    ...(authorization ? { authorization } : {}),
    ...(access?.trust ? { trust: access.trust } : {}),
    compressed: access?.compressed === true,
  });
}
