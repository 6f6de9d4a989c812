import type { ProfileHeader } from '@org/record/journal';
import {
  LOAD_MARK,
  type LoadBoundary,
  type LoadEnd,
  MARK,
  openJournal,
  type RunHeader,
} from '@org/record/journal';
import type { Clock, JournalWriter } from '@org/scrape';
import { endJournal } from '../lifecycle/journalEnd.ts';
import type { Log } from '../lifecycle/log.ts';
import type { ProfileOptions } from './profilePlan.ts';

export interface RunJournalOptions {
  readonly options: ProfileOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly benchmarkId: string;
  readonly version: string;
  /** As the exports of the servers have it. */
  readonly inputConfig: Readonly<Record<string, unknown>>;
  readonly profile: ProfileHeader;
}

/**
 * The journal of a profile run: with the lines of its requests it is all that its exports are made of, should it be killed.
 * Without server metrics it has no scrapes, and says the rest.
 */
export class RunJournal {
  readonly writer: JournalWriter;
  readonly #setup: RunJournalOptions;

  /** Begins the journal in the run's folder. */
  constructor(setup: RunJournalOptions) {
    this.#setup = setup;
    const { clock, log } = setup;
    this.writer = openJournal(setup.options.folder, headerOf(setup), {
      clock,
      onStateChange: ({ state, message }) => (state === 'failing' ? log.warning(message) : log.info(message)),
    });
  }

  /** Profiling begins. Where servers are scraped, their collection has said so already. */
  begun(atNs: bigint, edge: LoadBoundary): void {
    if (!this.#setup.profile.hasServers) this.writer.mark({ kind: MARK.profilingStart, atNs });
    this.writer.mark({ kind: LOAD_MARK.started, atNs, data: edge });
  }

  /** All requests are over, and their lines are written. */
  over(atNs: bigint, over: LoadEnd): void {
    const { profilingEndNs } = over;
    if (!this.#setup.profile.hasServers && profilingEndNs !== undefined)
      this.writer.mark({ kind: MARK.profilingEnd, atNs: profilingEndNs });
    this.writer.mark({ kind: LOAD_MARK.ended, atNs, data: over });
  }

  /** Ends it when all exports were tried; `isFull`: the disk had no room for one. */
  async close(isWritten: boolean, isFull: boolean): Promise<void> {
    const { options, log } = this.#setup;
    const { folder, server } = options;
    await endJournal(this.writer, { isWritten, isFull, keep: server.keepJournal, folder, log });
  }

  /** Ends it without a trace, where there was no run. */
  async abandon(): Promise<void> {
    await this.writer.remove();
  }
}

function headerOf({ options, benchmarkId, version, inputConfig, profile }: RunJournalOptions): RunHeader {
  const { server, prefix, sliceSeconds } = options;
  return {
    benchmarkId,
    version,
    startNs: profile.startNs,
    inputConfig,
    exports: {
      ...server.layouts,
      formats: server.formats,
      percentileMethod: server.percentileMethod,
      parquetPartition: server.parquetPartition,
      ...(prefix === undefined ? {} : { prefix }),
      ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    },
    profile,
  };
}
