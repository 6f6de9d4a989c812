import type { Run } from '@org/analysis';
import type { LivePlan } from '@org/live';
import type { RunEvent } from '@org/run';
import { ActiveRun } from './activeRun.ts';
import { type DestinationDelivery, describeDelivery } from './delivery.ts';
import type { Dispatcher, Receiver } from './dispatch/dispatcher.ts';
import type { EndedRun } from './endedRun.ts';
import type { Batch, Labels, RunIdentity } from './metrics/batch.ts';
import { createRunIdentity, type RunDescription } from './metrics/runIdentity.ts';
import { MetricsServer } from './page/metricsServer.ts';
import type { PushTarget } from './target.ts';

/** Options of {@link Push}. */
export interface PushOptions {
  readonly targets: readonly PushTarget[];
  /** Labels that the user adds to all values. */
  readonly labels: Labels;
  /** Version of Servelens. */
  readonly version: string;
  /** Creates the dispatcher of the values. It is called if there are receivers. */
  readonly createDispatcher: (receivers: readonly Receiver[], version: string) => Dispatcher;
}

/** Numbers of pushed and lost values, by receiver. */
export interface PushReport {
  /** The IDs of the runs whose values were pushed. */
  readonly runIds: readonly string[];
  readonly destinations: readonly DestinationDelivery[];
  /** Why values could not be read; absent if they could. */
  readonly problem?: string;
}

/**
 * Pushes the values of runs, one after the other: about once per second while a run is active, and its statistics at the end.
 * No method waits for a receiver, except `close`.
 */
export class Push {
  readonly #options: PushOptions;
  readonly #dispatcher: Dispatcher | undefined;
  readonly #page = new MetricsServer();
  readonly #runIds: string[] = [];
  #active: ActiveRun | undefined;
  #isPageOpen = false;
  #problem: string | undefined;

  constructor(options: PushOptions) {
    const { targets, version, createDispatcher } = options;
    this.#options = options;
    this.#dispatcher = targets.length === 0 ? undefined : createDispatcher(targets, version);
  }

  /**
   * Starts the metrics page. Returns its URL.
   *
   * @throws MetricsPortError if the port cannot be used
   */
  async openPage(port: number): Promise<string> {
    const url = await this.#page.listen(port);
    this.#isPageOpen = true;
    return url;
  }

  /** Starts a run. Its values are read from its events. */
  startRun(plan: LivePlan, description: RunDescription): void {
    this.#active?.stop();
    this.#active = new ActiveRun(plan, {
      identify: runId => this.#identify(runId, description),
      emit: batch => this.#add(batch),
      endSeries: (run, timeMs) => this.#dispatcher?.endSeries(run, timeMs),
      fail: ({ message }) => {
        this.#problem = message;
      },
    });
  }

  /** Follows an event of the run. */
  handle(event: RunEvent): void {
    this.#active?.handle(event);
  }

  /** Adds the statistics of the run that has ended. The modules that read them are loaded only now. */
  async endRun(ended: EndedRun): Promise<void> {
    this.#active?.stop();
    const identity = this.#active?.identity;
    this.#active = undefined;
    if (!identity || !this.#dispatcher) return;
    try {
      const { openEndedRun } = await import('./endedRun.ts');
      await this.#addStatistics(openEndedRun(ended), identity, Date.now());
    } catch (error) {
      this.#problem = (error as Error).message;
    }
  }

  /** Adds the statistics of a run that was read from its files. `timeMs` is the time of its values. */
  async addFinishedRun(run: Run, description: RunDescription, timeMs: number): Promise<void> {
    const runId = run.benchmarkId ?? 'unknown';
    const startMs = run.times.startNs === undefined ? timeMs : Number(run.times.startNs / 1_000_000n);
    const identity = this.#createIdentity(runId, startMs, description);
    this.#runIds.push(runId);
    await this.#addStatistics(run, identity, timeMs);
  }

  /** Sends what waits, and gives up a receiver that has accepted and rejected nothing for `timeoutMs`. */
  async close(timeoutMs: number): Promise<PushReport> {
    this.#active?.stop();
    const deliveries = (await this.#dispatcher?.close(timeoutMs)) ?? [];
    if (this.#isPageOpen) this.#page.close();
    return {
      runIds: this.#runIds,
      destinations: this.#options.targets.map((target, index) =>
        describeDelivery(target, deliveries[index]!),
      ),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
  }

  #identify(runId: string, description: RunDescription): RunIdentity {
    this.#runIds.push(runId);
    return this.#createIdentity(runId, Date.now(), description);
  }

  #createIdentity(runId: string, startMs: number, description: RunDescription): RunIdentity {
    const { version, labels } = this.#options;
    return createRunIdentity(runId, startMs, version, description, labels);
  }

  #add(batch: Batch): void {
    this.#dispatcher?.add(batch);
    this.#page.update(batch);
  }

  async #addStatistics(run: Run, identity: RunIdentity, timeMs: number): Promise<void> {
    const { RunStatistics } = await import('./metrics/runStatistics.ts');
    this.#dispatcher?.addStatistics(new RunStatistics(run, identity, timeMs));
  }
}
