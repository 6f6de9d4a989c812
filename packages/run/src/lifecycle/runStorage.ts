import type { PercentileMethod } from '@org/core';
import type { RunRecord } from '@org/record';
import { openJournal, type RunHeader } from '@org/record/journal';
import type { BlockFileOptions, Clock, JournalWriter } from '@org/scrape';
import type { ExportOptions, RunExports } from '../export/exportRun.ts';
import { diskFullRetryPolicy } from './diskFullRetry.ts';
import { endJournal } from './journalEnd.ts';
import { beforeLateImport } from './lateImport.ts';
import type { Log } from './log.ts';
import { type RunMemory, runMemory } from './runMemory.ts';

export interface KeepingOptions {
  readonly folder: string;
  /** The folder as messages name it. */
  readonly shownFolder: string;
  readonly header: RunHeader;
  /** Bytes that what was scraped may take in memory. */
  readonly memoryLimit: number;
  /** Lines of JSONL that are written at a time. */
  readonly batchSize: number;
  /** Whether the journal stays beside exports that could all be written. */
  readonly keepJournal: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when somebody waits for the end. */
  readonly interrupted: AbortSignal;
}

/** What a run keeps of itself in its folder: journal and history while it goes on, exports once it is over. */
export class Keeping {
  readonly journal: JournalWriter;
  readonly #memory: RunMemory;
  readonly #options: KeepingOptions;

  /** Begins the journal. */
  constructor(options: KeepingOptions) {
    const { folder, header, memoryLimit, clock, log } = options;
    const onStateChange: NonNullable<BlockFileOptions['onStateChange']> = ({ state, message }) =>
      state === 'failing' ? log.warning(message) : log.info(message);
    this.#options = options;
    this.journal = openJournal(folder, header, { clock, onStateChange });
    this.#memory = runMemory(folder, memoryLimit, { clock, onStateChange });
  }

  /** For the stores of all endpoints. */
  get memory(): RunMemory['memory'] {
    return this.#memory.memory;
  }

  /** Writes the exports of the run; its stores must not be read any more then. */
  async finish(record: RunRecord): Promise<RunExports> {
    const exports = await this.#export(record);
    this.#memory.close();
    await this.#closeJournal(exports);
    return exports;
  }

  /** Leaves no trace, where there was no run. */
  async abandon(): Promise<void> {
    this.#memory.close();
    await this.journal.remove();
  }

  async #export(record: RunRecord): Promise<RunExports> {
    const { interrupted, log } = this.#options;
    // What writes exports takes 20 MB, which nothing needs before.
    beforeLateImport();
    const { exportWithRetry, MAX_RETRY_SECONDS } = await import('../export/exportRetry.ts');
    const patience = diskFullRetryPolicy({ journal: this.journal, log, interrupted }, MAX_RETRY_SECONDS);
    return exportWithRetry(record, this.#exportOptions(), patience);
  }

  #exportOptions(): ExportOptions {
    const { folder, batchSize, header } = this.#options;
    const percentileMethod = header.exports.percentileMethod as PercentileMethod;
    return { folder, batchSize, ...header.exports, percentileMethod };
  }

  async #closeJournal({ results }: RunExports): Promise<void> {
    const { keepJournal, log, shownFolder } = this.#options;
    await endJournal(this.journal, {
      isWritten: results.every(({ failure }) => failure === undefined),
      isFull: results.some(({ isDiskFull }) => isDiskFull),
      keep: keepJournal,
      folder: shownFolder,
      log,
    });
  }
}
