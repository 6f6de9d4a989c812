import type { RunRecord } from '@org/record';
import type { RunHeader } from '@org/record/journal';
import type { Clock, Endpoint, JournalWriter } from '@org/scrape';
import type { EventSink } from '../events.ts';
import type { RunExports } from '../export/exportRun.ts';
import { MarkListener } from '../marks/listener.ts';
import type { ResolvedPlan } from '../plan/runPlan.ts';
import { hasConcurrentRun } from './concurrentRun.ts';
import { pause, untilAborted } from './pause.ts';
import { PhaseController } from './phaseController.ts';
import { type ExportOutcome, RunStorage } from './runStorage.ts';
import { Scraping } from './scraping.ts';

export interface LifecycleOptions {
  readonly plan: ResolvedPlan;
  readonly header: RunHeader;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** Aborted if the run is to end early. All exports are still written. */
  readonly interrupted: AbortSignal;
  /** Which marks of other processes are accepted. */
  readonly accepts: 'marks' | 'notes';
}

/** The server metrics of a run, and their exports. */
export interface ServerMetrics {
  readonly record: RunRecord;
  readonly exports: RunExports;
}

/**
 * The lifecycle of every run: `begin`, the phases, `finish`, `closeJournal`.
 *
 * A driver decides when the profiling phase starts and ends: `collect` by time, by the end of its workload and by marks;
 * `profile` by the phases of its load. A plan without targets has the same lifecycle and scrapes nothing.
 */
export class RunLifecycle {
  readonly phases: PhaseController;
  readonly #options: LifecycleOptions;
  readonly #storage: RunStorage;
  readonly #scraping: Scraping;
  #listener: MarkListener | undefined;

  /** Creates the journal. The artifact folder must exist. */
  constructor(options: LifecycleOptions) {
    const { plan, header, clock, emit, interrupted, accepts } = options;
    const { targets, settings, settleSeconds } = plan;
    this.#options = options;
    this.#storage = new RunStorage({ plan, header, clock, emit, interrupted });
    this.#scraping = new Scraping({
      targets,
      clock,
      settings,
      startNs: header.startNs,
      journal: this.#storage.journal,
      memory: this.#storage.memory,
      onChange: change => emit({ type: 'endpoint_changed', change }),
    });
    this.phases = new PhaseController({
      scraping: this.#scraping,
      clock,
      emit,
      interrupted,
      accepts,
      ...(settleSeconds === undefined ? {} : { settleSeconds }),
    });
  }

  get endpoints(): readonly Endpoint[] {
    return this.#scraping.endpoints;
  }

  get journal(): JournalWriter {
    return this.#storage.journal;
  }

  /** Path of the socket that accepts marks; undefined if marks are unavailable. */
  get markSocket(): string | undefined {
    return this.#listener?.path;
  }

  /** Probes all endpoints, scrapes a baseline if the run has a warm-up, and listens for marks. */
  async begin(hasWarmup: boolean): Promise<void> {
    const { emit, interrupted } = this.#options;
    if (this.endpoints.length === 0) return;
    await untilAborted(this.#scraping.probe(), interrupted);
    emit({ type: 'endpoints_probed', endpoints: this.endpoints });
    if (hasWarmup) await untilAborted(this.#scraping.scrapeBaseline(), interrupted);
    if (!interrupted.aborted) await this.#listen();
  }

  /** Starts scraping at the interval. */
  startScraping(): void {
    this.#scraping.start();
  }

  /**
   * Ends profiling, scrapes during the flush period, stops scraping and writes the server metrics exports. Returns undefined if
   * the plan has no targets. `isCancelled` is called when profiling has ended.
   */
  async finish(isCancelled: () => boolean): Promise<ServerMetrics | undefined> {
    const { plan, header, emit, interrupted } = this.#options;
    const hasTargets = plan.targets.length > 0;
    await this.phases.end();
    const cancelled = isCancelled();
    emit({ type: 'phase_changed', phase: 'flush' });
    if (hasTargets) await pause(plan.settings.flushMs / 1000, interrupted);
    await this.#listener?.close();
    await this.#scraping.close(interrupted.aborted);
    const { benchmarkId, version, inputConfig } = header;
    const record = this.#scraping.createRecord({ benchmarkId, version, inputConfig, cancelled });
    return hasTargets ? { record, exports: await this.#storage.writeExports(record) } : undefined;
  }

  /** Removes the journal, or keeps it if an export is missing. Call it after all exports of the run. */
  closeJournal(outcome: ExportOutcome): Promise<void> {
    return this.#storage.closeJournal(outcome);
  }

  /** Stops a run that could not start, and removes its files. */
  async abandon(): Promise<void> {
    await this.#listener?.close();
    await this.#scraping.close(true);
    await this.#storage.abandon();
  }

  /** A run without marks is still valid, so a failure to listen is only reported. */
  async #listen(): Promise<void> {
    const { plan, emit } = this.#options;
    const { folder } = plan;
    if (await hasConcurrentRun(this.journal.path)) emit({ type: 'concurrent_run', folder });
    try {
      this.#listener = await MarkListener.open(folder, request => this.phases.handleMark(request));
    } catch (error) {
      emit({ type: 'marks_unavailable', reason: (error as Error).message });
    }
  }
}
