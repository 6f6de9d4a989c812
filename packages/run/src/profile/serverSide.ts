import { setTimeout as sleep } from 'node:timers/promises';
import type { RunRecord } from '@org/record';
import type { Clock, Endpoint, JournalWriter } from '@org/scrape';
import { exportWithRetry, MAX_RETRY_SECONDS } from '../export/exportRetry.ts';
import type { RunExports } from '../export/exportRun.ts';
import { tellEvent, tellReached } from '../lifecycle/announcement.ts';
import { Collection } from '../lifecycle/collection.ts';
import { warnOfNeighbour } from '../lifecycle/concurrentRun.ts';
import { diskFullRetryPolicy } from '../lifecycle/diskFullRetry.ts';
import type { Log } from '../lifecycle/log.ts';
import { type RunMemory, runMemory } from '../lifecycle/runMemory.ts';
import { settlingMessage } from '../lifecycle/settling.ts';
import { Notes } from './notes.ts';
import type { ProfileOptions } from './profilePlan.ts';

export interface ServerSideOptions {
  readonly options: ProfileOptions;
  readonly clock: Clock;
  readonly log: Log;
  /** When the run began, ns since 1970. */
  readonly startNs: bigint;
  readonly journal: JournalWriter;
  /** Aborted when somebody wants the run to end. */
  readonly interrupted: AbortSignal;
  readonly benchmarkId: string;
  readonly version: string;
  readonly inputConfig: Readonly<Record<string, unknown>>;
}

/** What the servers said during a run, and the exports of it. */
export interface ServerRun {
  readonly record: RunRecord;
  readonly exports: RunExports;
}

/** Scrapes the servers beside the load; the load generator says where the phases are. */
export class ServerSide {
  readonly #setup: ServerSideOptions;
  readonly #journal: JournalWriter;
  readonly #memory: RunMemory;
  readonly #collection: Collection;
  readonly #notes: Notes;

  constructor(setup: ServerSideOptions) {
    this.#setup = setup;
    const { options, clock, log, startNs, journal } = setup;
    const { server, folder } = options;
    const onStateChange = ({ state, message }: { state: 'failing' | 'resumed'; message: string }): void =>
      state === 'failing' ? log.warning(message) : log.info(message);
    this.#journal = journal;
    this.#memory = runMemory(folder, server.memoryLimit, { clock, onStateChange });
    this.#collection = new Collection({
      targets: server.targets,
      clock,
      settings: server.settings,
      startNs,
      journal,
      memory: this.#memory.memory,
      onEvent: event => tellEvent(log, event),
    });
    this.#notes = new Notes({ folder, clock, log, keep: mark => this.#collection.mark(mark) });
  }

  get endpoints(): readonly Endpoint[] {
    return this.#collection.endpoints;
  }

  /** First contact, a baseline from before all load, and scraping from then on. */
  async begin(): Promise<void> {
    await this.#untilInterrupted(this.#collection.reach());
    tellReached(this.#setup.log, this.endpoints);
    const { options, log } = this.#setup;
    await warnOfNeighbour(this.#journal.path, options.folder, log);
    await this.#notes.open();
    if (options.warmup) await this.#untilInterrupted(this.#collection.baseline());
    this.#collection.start();
  }

  /** Nothing is under way: whatever the servers have counted so far is not of profiling. Returns when it begins, ns since 1970. */
  async beginProfiling(): Promise<bigint> {
    await this.#settle('start');
    return this.#collection.beginProfiling();
  }

  /** The last request is over: the closing scrape. Returns when profiling ended, ns since 1970. */
  async endProfiling(): Promise<bigint | undefined> {
    await this.#settle('end');
    return this.#collection.endProfiling(this.#setup.interrupted.aborted);
  }

  /** Scrapes on for the flush period, then ends all scraping and writes the exports. */
  async finish(cancelled: boolean): Promise<ServerRun> {
    const { options, interrupted, benchmarkId, version, inputConfig } = this.#setup;
    const { flushMs } = options.server.settings;
    if (flushMs > 0 && !interrupted.aborted) await this.#untilInterrupted(sleep(flushMs));
    await this.#notes.close();
    await this.#collection.close(interrupted.aborted);
    const record = this.#collection.record({ benchmarkId, version, inputConfig, cancelled });
    const exports = await this.#export(record);
    this.#memory.close();
    return { record, exports };
  }

  /** Ends it without a trace, where there was no run. */
  async abandon(): Promise<void> {
    await this.#notes.close();
    await this.#collection.close(true);
    this.#memory.close();
  }

  async #settle(edge: 'start' | 'end'): Promise<void> {
    const { options, interrupted, log } = this.#setup;
    const { settleSeconds } = options.server;
    if (settleSeconds === undefined || interrupted.aborted) return;
    const settled = await this.#collection.settle(edge, settleSeconds, interrupted);
    if (settled.outcome === 'gave_up') log.warning(settlingMessage(settled));
    else log.info(settlingMessage(settled));
  }

  async #export(record: RunRecord): Promise<RunExports> {
    const { options, interrupted, log } = this.#setup;
    const { server, folder, prefix, sliceSeconds } = options;
    const exporting = {
      folder,
      formats: server.formats,
      parquetPartition: server.parquetPartition,
      percentileMethod: server.percentileMethod,
      ...server.layouts,
      batchSize: server.settings.batchSize,
      ...(prefix === undefined ? {} : { prefix }),
      ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    };
    const patience = diskFullRetryPolicy({ journal: this.#journal, log, interrupted }, MAX_RETRY_SECONDS);
    return exportWithRetry(record, exporting, patience);
  }

  async #untilInterrupted(work: Promise<unknown>): Promise<void> {
    const { interrupted } = this.#setup;
    if (interrupted.aborted) return;
    await Promise.race([
      work,
      new Promise(resolve => interrupted.addEventListener('abort', resolve, { once: true })),
    ]);
  }
}
