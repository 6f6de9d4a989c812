import type { Clock, Frame, StoreMemory } from '@org/core';
import type { MarkRecord, RunRecord, SettlingRecord } from '@org/record';
import { MARK } from '@org/record/journal';
import {
  Collector,
  type Endpoint,
  type EndpointEvent,
  type JournalWriter,
  type Target,
  type TargetSource,
} from '@org/scrape';
import type { RunSettings } from '../plan/runPlan.ts';
import { NEVER_ABORTED } from '../runContext.ts';
import { HealthJournal } from './healthJournal.ts';
import { toHealthRecord } from './healthRecord.ts';
import { PhaseBoundaries } from './phaseBoundaries.ts';
import { type FrameListener, waitForQuiescence } from './quiescence.ts';
import { RecordedEndpoints } from './recordedEndpoints.ts';
import { ScrapingCost } from './scrapingCost.ts';
import { SourcedEndpoints } from './sourcedEndpoints.ts';
import { type SourceProblem, SourceWatcher } from './sourceWatcher.ts';
import { createFetcher } from './targetFetcher.ts';

/** Maximum wait of a barrier for slow endpoints under load, in milliseconds. */
export const LOADED_BARRIER_MS = 2000;

export interface ScrapingOptions {
  readonly targets: readonly Target[];
  /** Sources of further endpoints, which may change during the run. */
  readonly sources?: readonly TargetSource[];
  readonly clock: Clock;
  readonly settings: RunSettings;
  /** Start of the run, in nanoseconds since 1970. */
  readonly startNs: bigint;
  readonly journal: JournalWriter;
  /** Memory shared by the stores of all endpoints. */
  readonly memory: StoreMemory;
  readonly onChange: (change: EndpointEvent) => void;
  readonly onProblem?: (problem: SourceProblem) => void;
}

/** Scrapes the endpoints of a run. Stores and journals their frames, and the boundaries of the profiling phase. */
export class Scraping {
  readonly #collector: Collector;
  readonly #clock: Clock;
  readonly #settings: RunSettings;
  readonly #recorded: RecordedEndpoints;
  readonly #journal: JournalWriter;
  readonly #startNs: bigint;
  readonly #health: HealthJournal;
  readonly #boundaries: PhaseBoundaries;
  readonly #sourced: SourcedEndpoints | undefined;
  readonly #watcher: SourceWatcher | undefined;
  readonly #marks: MarkRecord[] = [];
  readonly #settling: SettlingRecord[] = [];
  /** Receives every frame during a wait for quiescence; undefined otherwise. */
  #frameListener: FrameListener | undefined;
  readonly #cost = new ScrapingCost();
  #isStarted = false;

  constructor(options: ScrapingOptions) {
    const { targets, sources = [], clock, settings, startNs, journal, memory, onChange } = options;
    this.#clock = clock;
    this.#settings = settings;
    this.#startNs = startNs;
    this.#journal = journal;
    this.#recorded = new RecordedEndpoints({
      journal,
      memory,
      describeHealth: endpoint => toHealthRecord(endpoint, this.#collector),
    });
    this.#health = new HealthJournal({
      writeHealth: () => this.#journalHealth(),
      writeCost: () => this.#journalCost(),
    });
    this.#boundaries = new PhaseBoundaries(clock, journal, endpoint => this.#recorded.getIndex(endpoint));
    this.#collector = new Collector({
      targets,
      clock,
      intervalMs: settings.intervalMs,
      createFetcher: target => createFetcher(target, clock, settings),
      onFrame: (endpoint, frame) => this.#keepFrame(endpoint, frame),
      onEvent: change => {
        onChange(change);
        this.#health.writeSoon();
      },
    });
    for (const endpoint of this.endpoints) this.#recorded.register(endpoint);
    if (sources.length === 0) return;
    this.#sourced = new SourcedEndpoints({
      collector: this.#collector,
      targets,
      sources: sources.length,
      onChange: endpoint => this.#recorded.journalChange(endpoint),
      nowNs: () => clock.nowNs(),
    });
    this.#watcher = new SourceWatcher({
      sources,
      onList: (source, listed) => this.#sourced!.update(source, listed),
      onProblem: options.onProblem ?? (() => {}),
      onRecord: record => journal.addMark({ kind: MARK.source, atNs: clock.nowNs(), data: record }),
    });
  }

  get endpoints(): readonly Endpoint[] {
    return this.#collector.endpoints;
  }

  /** Waits for the first list of each source, then scrapes every endpoint for the first time, all in parallel. */
  async probe(signal: AbortSignal = NEVER_ABORTED): Promise<void> {
    await this.#watcher?.start(signal);
    this.#sourced?.activate();
    await this.#collector.scrapeAll(this.#settings.reachabilityMs);
  }

  /** Scrapes all active endpoints once, so that samples from before the load exist. */
  async scrapeBaseline(): Promise<void> {
    await this.#collector.scrapeAll(LOADED_BARRIER_MS, 0);
  }

  /** Starts periodic scraping, unless it has already started. */
  start(): void {
    if (this.#isStarted || (this.endpoints.length === 0 && !this.#watcher)) return;
    this.#isStarted = true;
    this.#collector.start();
    this.#health.start();
  }

  /**
   * Scrapes until the counters of all active endpoints stop changing, the limit has passed or `signal` is
   * aborted. The outcome is journaled and exported.
   */
  async waitForQuiescence(
    boundary: 'start' | 'end',
    limitSeconds: number,
    signal: AbortSignal,
  ): Promise<SettlingRecord> {
    this.start();
    const settling = await waitForQuiescence({
      boundary,
      endpoints: this.#activeEndpoints,
      limitSeconds,
      signal,
      listen: listener => {
        this.#frameListener = listener;
      },
      clock: this.#clock,
    });
    this.#settling.push(settling);
    this.#journal.addMark({ kind: MARK.settled, atNs: this.#clock.nowNs(), data: settling });
    return settling;
  }

  /**
   * Starts profiling with a barrier scrape of all endpoints; everything before it is warm-up. A later start
   * replaces an earlier one. Returns the start of the period, in nanoseconds since 1970.
   *
   * By default the barrier waits for two scrape timeouts, because a scrape may be in flight. Under load, pass
   * a shorter `limitMs`: a slow endpoint delays the start for all others. If `signal` is aborted, the barrier
   * stops waiting.
   */
  async startProfiling(signal?: AbortSignal, limitMs?: number): Promise<bigint> {
    const baselines = new Map<Endpoint, bigint>();
    const samples = await this.#collector.takeBarrierSamples({
      limitMs: limitMs ?? 2 * this.#settings.reachabilityMs,
      inactiveLimitMs: 0,
      needsFreshSamples: true,
      ...(signal ? { signal } : {}),
      onLate: (endpoint, atNs) => this.#boundaries.addLateBaseline(baselines, endpoint, atNs),
    });
    for (const [endpoint, atNs] of samples) baselines.set(endpoint, atNs);
    const startNs = this.#boundaries.start(baselines);
    this.#journalHealth();
    return startNs;
  }

  /**
   * Ends profiling, then takes the closing samples with a barrier scrape. `isHurried` shortens the barrier.
   * Returns the end of the period, in nanoseconds since 1970; undefined if profiling never started.
   */
  async endProfiling(isHurried: boolean): Promise<bigint | undefined> {
    if (!this.#boundaries.hasStarted) return undefined;
    const endNs = this.#boundaries.end();
    const addClosingSample = (endpoint: Endpoint, atNs: bigint): void =>
      this.#boundaries.addClosingSample(endpoint, atNs);
    const samples = await this.#collector.takeBarrierSamples({
      limitMs: isHurried ? LOADED_BARRIER_MS : this.#settings.reachabilityMs,
      inactiveLimitMs: isHurried ? 0 : LOADED_BARRIER_MS,
      onLate: addClosingSample,
    });
    for (const [endpoint, atNs] of samples) addClosingSample(endpoint, atNs);
    return endNs;
  }

  addMark(mark: MarkRecord): void {
    this.#marks.push(mark);
    this.#journal.addMark({ kind: MARK.external, atNs: mark.time_ns, data: mark });
  }

  /** Stops scraping. Unless `isHurried`, in-flight scrapes of active endpoints may take up to the shutdown delay. */
  async close(isHurried: boolean): Promise<void> {
    await this.#watcher?.close();
    this.#health.stop();
    this.#collector.pause();
    const inFlight = Promise.all(this.#activeEndpoints.map(endpoint => endpoint.inFlight));
    const delayMs = isHurried ? 0 : this.#settings.shutdownMs;
    await Promise.race([inFlight, new Promise(resolve => setTimeout(resolve, delayMs).unref())]);
    await this.#collector.close();
  }

  /** Completes the journal and returns the record of the run. */
  createRecord(
    identity: Pick<RunRecord, 'benchmarkId' | 'version' | 'cancelled' | 'inputConfig' | 'servelensConfig'>,
  ): RunRecord {
    const endNs = this.#clock.nowNs();
    this.#journalHealth(this.endpoints);
    const scraping = this.#cost.measure(this.endpoints);
    this.#journal.addMark({ kind: MARK.scraping, atNs: endNs, data: scraping });
    this.#journal.addMark({ kind: MARK.runEnd, atNs: endNs, data: { cancelled: identity.cancelled } });
    this.#journal.end();
    return {
      ...identity,
      startNs: this.#startNs,
      endNs,
      period: this.#boundaries.getPeriod(endNs),
      ...(this.#marks.length > 0 ? { marks: this.#marks } : {}),
      ...(this.#settling.length > 0 ? { settling: this.#settling } : {}),
      scraping,
      ...(this.#watcher ? { sources: this.#watcher.records } : {}),
      endpoints: this.endpoints.map(endpoint =>
        this.#recorded.createRecord(endpoint, this.#boundaries.getSamples(endpoint)),
      ),
    };
  }

  get #activeEndpoints(): readonly Endpoint[] {
    return this.endpoints.filter(({ health }) => health.status === 'active');
  }

  #keepFrame(endpoint: Endpoint, frame: Frame): void {
    this.#recorded.append(endpoint, frame);
    this.#frameListener?.(endpoint, frame);
  }

  /** Journals the health of all endpoints that are scraped. That of others was journaled when they were removed. */
  #journalHealth(
    endpoints: readonly Endpoint[] = this.endpoints.filter(({ health }) => health.status !== 'removed'),
  ): void {
    for (const endpoint of endpoints) this.#recorded.journalHealth(endpoint);
  }

  #journalCost(): void {
    const data = this.#cost.measure(this.endpoints);
    this.#journal.addMark({ kind: MARK.scraping, atNs: this.#clock.nowNs(), data });
  }
}
