import type { RunRecord } from '@org/record';
import type { RunHeader } from '@org/record/journal';
import type { Endpoint, JournalWriter } from '@org/scrape';
import { MarkListener } from '../marks/listener.ts';
import { hasServers } from '../plan/runPlan.ts';
import type { PhaseTimes } from '../profile/recordedPhases.ts';
import type { RunContext } from '../runContext.ts';
import { pause, waitUnlessAborted } from './pause.ts';
import { PhaseController } from './phaseController.ts';
import { getCurrentOwner } from './runOwner.ts';
import { RunStorage, type ServerMetrics, type WrittenExports } from './runStorage.ts';
import { Scraping } from './scraping.ts';

/** Options of a lifecycle that depend on the driver of the run. */
export interface LifecycleOptions
  extends Pick<RunHeader, 'startNs' | 'inputConfig' | 'servelensConfig' | 'profile'> {
  /** The marks to accept from other processes. */
  readonly accepts: 'marks' | 'notes';
}

/**
 * The lifecycle of every run: `begin`, the phases, `finish`, `closeJournal`.
 *
 * A driver decides when the profiling phase starts and ends: `collect` by time, by the end of its workload
 * and by marks; `profile` by the phases of its load. A plan without targets and sources has the same lifecycle and
 * scrapes nothing.
 */
export class RunLifecycle {
  readonly phases: PhaseController;
  readonly #context: RunContext;
  readonly #header: RunHeader;
  readonly #storage: RunStorage;
  readonly #scraping: Scraping;
  #listener: MarkListener | undefined;

  /** Creates the journal. The artifact folder must exist. */
  constructor(context: RunContext, options: LifecycleOptions) {
    const { plan, clock, emit, interruptSignal } = context;
    const { targets, sources, settings, settleSeconds } = plan;
    const { accepts, startNs } = options;
    this.#context = context;
    this.#header = createHeader(context, options);
    this.#storage = new RunStorage(context, this.#header);
    this.#scraping = new Scraping({
      targets,
      ...(sources ? { sources } : {}),
      clock,
      settings,
      startNs,
      journal: this.#storage.journal,
      memory: this.#storage.memory,
      onChange: change => emit({ type: 'endpoint_changed', change }),
      onProblem: problem => emit({ type: 'source_failed', ...problem }),
    });
    this.phases = new PhaseController({
      scraping: this.#scraping,
      clock,
      emit,
      interruptSignal,
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
    const { emit, interruptSignal } = this.#context;
    if (!hasServers(this.#context.plan)) return;
    await waitUnlessAborted(this.#scraping.probe(interruptSignal), interruptSignal);
    emit({ type: 'endpoints_probed', endpoints: this.endpoints });
    if (hasWarmup) await waitUnlessAborted(this.#scraping.scrapeBaseline(), interruptSignal);
    if (!interruptSignal.aborted) await this.#listen();
  }

  /** Starts periodic scraping. */
  startScraping(): void {
    this.#scraping.start();
  }

  /**
   * Ends profiling, scrapes during the flush period, stops scraping and writes the server metrics exports.
   * Returns undefined if the plan has neither targets nor sources. `isCancelled` is called after profiling has ended. `phases` have
   * exports of their own.
   */
  async finish(
    isCancelled: () => boolean,
    phases: readonly PhaseTimes[] = [],
  ): Promise<ServerMetrics | undefined> {
    const { plan, emit, interruptSignal } = this.#context;
    const hasTargets = hasServers(plan);
    await this.phases.end();
    const cancelled = isCancelled();
    emit({ type: 'phase_changed', phase: 'flush' });
    if (hasTargets) await pause(plan.settings.flushMs / 1000, interruptSignal);
    await this.#listener?.close();
    await this.#scraping.close(interruptSignal.aborted);
    const record = this.#createRecord(cancelled);
    return hasTargets ? this.#storage.writeExports(record, phases) : undefined;
  }

  /**
   * Removes the journal if all exports are written, unless the plan keeps it. Returns whether all exports are
   * written. Call it after all exports of the run.
   */
  closeJournal(exports: WrittenExports): Promise<boolean> {
    return this.#storage.closeJournal(exports);
  }

  /** Stops a run that could not start, and removes its files. */
  async abandon(): Promise<void> {
    await this.#listener?.close();
    await this.#scraping.close(true);
    await this.#storage.abandon();
  }

  #createRecord(cancelled: boolean): RunRecord {
    const { benchmarkId, version, inputConfig, servelensConfig } = this.#header;
    return this.#scraping.createRecord({
      benchmarkId,
      version,
      inputConfig,
      ...(servelensConfig ? { servelensConfig } : {}),
      cancelled,
    });
  }

  /** Listens for marks. A failure is only reported, because a run does not depend on marks. */
  async #listen(): Promise<void> {
    const { plan, emit } = this.#context;
    const { folder } = plan;
    try {
      this.#listener = await MarkListener.open(folder, request => this.phases.handleMark(request));
    } catch (error) {
      emit({ type: 'marks_unavailable', reason: (error as Error).message });
    }
  }
}

/** Creates the first record of the journal, from which a killed run can be recovered. */
function createHeader(
  { plan, benchmarkId, version }: RunContext,
  { startNs, inputConfig, servelensConfig, profile }: LifecycleOptions,
): RunHeader {
  return {
    benchmarkId,
    version,
    startNs,
    owner: getCurrentOwner(),
    inputConfig,
    ...(servelensConfig ? { servelensConfig } : {}),
    exports: { ...plan.exports, ...(plan.prefix === undefined ? {} : { prefix: plan.prefix }) },
    ...(profile ? { profile } : {}),
  };
}
