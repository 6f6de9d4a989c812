import type { StoreMemory } from '@org/core';
import type { RunRecord } from '@org/record';
import { openJournal, type RunHeader } from '@org/record/journal';
import type { Clock, JournalWriter } from '@org/scrape';
import type { EventSink } from '../events.ts';
import type { DiskFullRetryPolicy } from '../export/exportRetry.ts';
import type { ExportOptions, RunExports } from '../export/exportRun.ts';
import type { ResolvedPlan } from '../plan/runPlan.ts';
import { beforeLateImport } from './lateImport.ts';
import { pause } from './pause.ts';
import { openRunMemory, type RunMemory } from './runMemory.ts';

export interface RunStorageOptions {
  readonly plan: ResolvedPlan;
  readonly header: RunHeader;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** Aborted if the run is to end early. Exports are then not retried. */
  readonly interrupted: AbortSignal;
}

/** The outcome of all exports of a run. */
export interface ExportOutcome {
  /** True if all exports are written. */
  readonly isWritten: boolean;
  /** True if an export failed because the disk is full. */
  readonly isDiskFull: boolean;
}

/** The files of a run in its artifact folder: journal and memory file during the run, exports at its end. */
export class RunStorage {
  readonly journal: JournalWriter;
  readonly #memory: RunMemory;
  readonly #options: RunStorageOptions;

  /** Creates the journal. */
  constructor(options: RunStorageOptions) {
    const { plan, header, clock, emit } = options;
    const onStateChange = ({ state, message }: { state: 'failing' | 'resumed'; message: string }): void =>
      emit({ type: 'storage_changed', state, message });
    this.#options = options;
    this.journal = openJournal(plan.folder, header, { clock, onStateChange });
    this.#memory = openRunMemory(plan.folder, plan.storage.memoryLimit, { clock, onStateChange });
  }

  /** Memory for the stores of all endpoints. */
  get memory(): StoreMemory {
    return this.#memory.memory;
  }

  /** Writes the server metrics exports. The stores of the run must not be read afterwards. */
  async writeExports(record: RunRecord): Promise<RunExports> {
    // The export writers take 20 MB of memory, which a run must not use while it scrapes.
    beforeLateImport();
    const { exportWithRetry, MAX_RETRY_SECONDS } = await import('../export/exportRetry.ts');
    const exports = await exportWithRetry(
      record,
      this.#exportOptions,
      this.#createRetryPolicy(MAX_RETRY_SECONDS),
    );
    this.#memory.close();
    return exports;
  }

  /** Removes the journal if all exports are written. Otherwise keeps it, because the run can be recovered from it. */
  async closeJournal({ isWritten, isDiskFull }: ExportOutcome): Promise<void> {
    const { plan, emit } = this.#options;
    const hasJournal = this.journal.byteLength > 0;
    try {
      if (isWritten && !plan.storage.keepJournal) await this.journal.remove();
      else await this.journal.close();
    } catch (error) {
      emit({ type: 'journal_not_removed', reason: (error as Error).message });
    }
    if (isWritten) return;
    const { missedFrames: missedScrapes } = this.journal;
    emit({ type: 'journal_kept', folder: plan.folder, hasJournal, isDiskFull, missedScrapes });
  }

  /** Removes all files of a run that sent nothing. */
  async abandon(): Promise<void> {
    this.#memory.close();
    await this.journal.remove();
  }

  get #exportOptions(): ExportOptions {
    const { folder, prefix, exports, settings } = this.#options.plan;
    const { layouts, ...rest } = exports;
    return {
      folder,
      ...layouts,
      ...rest,
      batchSize: settings.batchSize,
      ...(prefix === undefined ? {} : { prefix }),
    };
  }

  /** Exports to a full disk are retried only while scrapes would be lost otherwise. */
  #createRetryPolicy(retrySeconds: number): DiskFullRetryPolicy {
    const { emit, interrupted } = this.#options;
    const { journal } = this;
    return {
      shouldRetry: () => journal.missedFrames > 0 && !interrupted.aborted,
      onRetry: () => emit({ type: 'disk_full', missedScrapes: journal.missedFrames, retrySeconds }),
      pause: async seconds => {
        await pause(seconds, interrupted);
        return !interrupted.aborted;
      },
    };
  }
}
