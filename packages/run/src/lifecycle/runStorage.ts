import { join } from 'node:path';
import { StoreMemory } from '@org/core';
import type { WriteResult } from '@org/formats/write';
import type { RunRecord } from '@org/record';
import { openJournal, type RunHeader } from '@org/record/journal';
import { BlockFile, type BlockFileOptions, type JournalWriter } from '@org/scrape';
import type { DiskFullRetryPolicy } from '../export/exportRetry.ts';
import type { ExportOptions, RunExports } from '../export/exportRun.ts';
import { isOutOfSpace } from '../export/outOfSpace.ts';
import { type PhaseTimes, toRecordedPhases } from '../profile/recordedPhases.ts';
import type { RunContext } from '../runContext.ts';
import { checkConcurrentStart } from './folderUse.ts';
import { prepareLateImport } from './lateImport.ts';
import { pause } from './pause.ts';
import { removeReplacedExports } from './replacedExports.ts';

/** The memory for the samples of all endpoints of a run, extended by a file in the artifact folder. */
export interface RunMemory {
  readonly memory: StoreMemory;
  /** Removes the file. Stores that use this memory must not be read afterwards. */
  close(): void;
}

/**
 * Opens the memory of a run. Samples beyond `limit` bytes are moved to a file, which is created when it is
 * first needed.
 */
export function openRunMemory(folder: string, limit: number, options: BlockFileOptions = {}): RunMemory {
  const file = new BlockFile(join(folder, `.server_metrics.${process.pid}.history`), options);
  return { memory: new StoreMemory(limit, file), close: () => file.close() };
}

/** The server metrics of a run, and their exports. */
export interface ServerMetrics {
  readonly record: RunRecord;
  readonly exports: RunExports;
  /** Outcomes of the exports of single phases; absent without phases. */
  readonly phaseFiles?: readonly WriteResult[];
}

/** All exports of a run: the exports of the server metrics and, for a profile run, of the client's metrics. */
export interface WrittenExports {
  /** Absent if the plan has no targets. */
  readonly server?: ServerMetrics | undefined;
  /** Outcomes of the client's exports. */
  readonly files?: readonly WriteResult[];
  /** Outcomes of the client's files that repeat or describe the exports, such as the manifest of the phases. */
  readonly furtherFiles?: readonly WriteResult[];
}

/** Reports whether all exports of a run are written. */
export function isWritten(exports: WrittenExports): boolean {
  const results = exports.server?.exports.results ?? [];
  return listFiles(exports).every(({ ok }) => ok) && results.every(({ failure }) => failure === undefined);
}

/** Lists the outcomes of all files except for the exports of the server metrics of the whole run. */
export function listFiles({ server, files = [], furtherFiles = [] }: WrittenExports): readonly WriteResult[] {
  return [...files, ...furtherFiles, ...(server?.phaseFiles ?? [])];
}

/** Reports whether an export failed because the disk is full. */
function isDiskFull(exports: WrittenExports): boolean {
  const results = exports.server?.exports.results ?? [];
  return (
    listFiles(exports).some(file => !file.ok && isOutOfSpace(file)) ||
    results.some(result => result.isDiskFull)
  );
}

/**
 * The files of a run in its artifact folder: the journal and the memory file during the run, and the exports
 * at its end.
 */
export class RunStorage {
  readonly journal: JournalWriter;
  readonly #memory: RunMemory;
  readonly #context: RunContext;
  readonly #startNs: bigint;

  /** Creates the journal. Throws `PlanError` if another run has started in the folder at the same time. */
  constructor(context: RunContext, header: RunHeader) {
    const { plan, clock, emit } = context;
    const onStateChange = ({ state, message }: { state: 'failing' | 'resumed'; message: string }): void =>
      emit({ type: 'storage_changed', state, message });
    this.#context = context;
    this.#startNs = header.startNs;
    this.journal = openJournal(plan.folder, header, { clock, onStateChange });
    this.#checkConcurrentStart(plan.folder);
    this.#memory = openRunMemory(plan.folder, plan.storage.memoryLimit, { clock, onStateChange });
  }

  #checkConcurrentStart(folder: string): void {
    try {
      checkConcurrentStart(folder, this.journal.path);
    } catch (error) {
      void this.journal.remove().catch(() => {});
      throw error;
    }
  }

  /** Memory for the stores of all endpoints. */
  get memory(): StoreMemory {
    return this.#memory.memory;
  }

  /** Writes the server metrics exports. The stores of the run must not be read afterwards. */
  async writeExports(collected: RunRecord, phases: readonly PhaseTimes[]): Promise<ServerMetrics> {
    // The export writers take 20 MB of memory, so they are loaded only after scraping has ended.
    prepareLateImport();
    const { exportWithRetry, MAX_RETRY_SECONDS } = await import('../export/exportRetry.ts');
    const { writePhaseServerMetrics } = await import('../export/phaseServerMetrics.ts');
    const { extendBuiltInServers } = await import('@org/servers');
    const record = { ...collected, servers: extendBuiltInServers(this.#context.plan.servers ?? []) };
    const exports = await exportWithRetry(
      record,
      this.#exportOptions,
      this.#createRetryPolicy(MAX_RETRY_SECONDS),
    );
    const phaseFiles = await writePhaseServerMetrics(
      record,
      toRecordedPhases(phases, record),
      this.#exportOptions,
    );
    this.#memory.close();
    return { record, exports, phaseFiles };
  }

  /**
   * Removes the journal if all exports are written, unless the plan keeps it. Otherwise keeps it, so that the
   * run can be recovered. Returns whether all exports are written.
   */
  async closeJournal(exports: WrittenExports): Promise<boolean> {
    const { plan, emit } = this.#context;
    const hasJournal = this.journal.byteLength > 0;
    const isComplete = isWritten(exports);
    try {
      if (isComplete && !plan.storage.keepJournal) await this.journal.remove();
      else await this.journal.close();
    } catch (error) {
      emit({ type: 'journal_not_removed', reason: (error as Error).message });
    }
    if (isComplete) {
      this.#removeReplacedExports(exports);
      return true;
    }
    const { missedFrames: missedScrapes } = this.journal;
    emit({
      type: 'journal_kept',
      folder: plan.folder,
      hasJournal,
      isDiskFull: isDiskFull(exports),
      missedScrapes,
    });
    return false;
  }

  #removeReplacedExports(exports: WrittenExports): void {
    const { folder, prefix } = this.#context.plan;
    const { server, files } = exports;
    removeReplacedExports({
      folder,
      prefix,
      startNs: this.#startNs,
      written: [...(server?.exports.results ?? []), ...listFiles(exports)].map(({ path }) => path),
      hasServerMetrics: server !== undefined,
      hasClientMetrics: files !== undefined,
    });
  }

  /** Removes the journal and the memory file of a run that sent no requests. */
  async abandon(): Promise<void> {
    this.#memory.close();
    await this.journal.remove();
  }

  get #exportOptions(): ExportOptions {
    const { emit, plan } = this.#context;
    const { folder, prefix, exports, settings } = plan;
    return {
      folder,
      ...exports,
      batchSize: settings.batchSize,
      onProgress: progress => emit({ type: 'export_progressed', progress }),
      ...(prefix === undefined ? {} : { prefix }),
    };
  }

  /** Creates the retry policy: exports to a full disk are retried only if scrapes exist only in memory. */
  #createRetryPolicy(retrySeconds: number): DiskFullRetryPolicy {
    const { emit, interruptSignal } = this.#context;
    const { journal } = this;
    return {
      shouldRetry: () => journal.missedFrames > 0 && !interruptSignal.aborted,
      onRetry: () => emit({ type: 'disk_full', missedScrapes: journal.missedFrames, retrySeconds }),
      pause: async seconds => {
        await pause(seconds, interruptSignal);
        return !interruptSignal.aborted;
      },
    };
  }
}
