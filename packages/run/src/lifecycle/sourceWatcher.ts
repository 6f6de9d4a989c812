import type { SourceRecord } from '@org/record';
import type { Target, TargetSource } from '@org/scrape';
import { pause, waitUnlessAborted } from './pause.ts';

/** Maximum wait for the first lists of all sources, in seconds. Later lists add endpoints to the active run. */
const FIRST_LISTS_SECONDS = 30;
/** Delay before a source whose list could not be read is read again, in seconds. */
const RETRY_SECONDS = 5;
/** Maximum wait for the sources to stop, in seconds. */
const STOP_SECONDS = 1;

export interface SourceWatcherOptions {
  readonly sources: readonly TargetSource[];
  /** Receives the complete list of a source, after each change. `source` is its index. */
  readonly onList: (source: number, targets: readonly Target[]) => void;
  /** Receives the first of consecutive equal problems of a source. */
  readonly onProblem: (problem: SourceProblem) => void;
  /** Called after each change of the record of a source. */
  readonly onRecord: (record: SourceRecord) => void;
}

/** A list of a source that could not be read. */
export interface SourceProblem {
  readonly source: string;
  readonly message: string;
}

/** Watches the sources of a run. A failure of a source is recorded; its last list stays valid. */
export class SourceWatcher {
  readonly #options: SourceWatcherOptions;
  readonly #stop = new AbortController();
  readonly #records: SourceRecord[];
  #watches: readonly Promise<void>[] = [];

  constructor(options: SourceWatcherOptions) {
    this.#options = options;
    this.#records = options.sources.map(({ name }) => ({ name, lists: 0, problems: 0 }));
  }

  get records(): readonly SourceRecord[] {
    return this.#records;
  }

  /** Starts to watch. Resolves when each source has yielded a list or failed, or after 30 seconds. */
  async start(signal: AbortSignal): Promise<void> {
    const firstLists = this.#options.sources.map(
      (source, index) =>
        new Promise<void>(resolve => {
          this.#watches = [...this.#watches, this.#watch(source, index, resolve)];
        }),
    );
    const limit = new AbortController();
    await waitUnlessAborted(
      Promise.race([Promise.all(firstLists), pause(FIRST_LISTS_SECONDS, limit.signal)]),
      signal,
    );
    limit.abort();
    this.#reportMissing();
  }

  /** Stops all watches. Lists that arrive later are ignored. */
  async close(): Promise<void> {
    this.#stop.abort();
    const limit = new AbortController();
    await Promise.race([Promise.all(this.#watches), pause(STOP_SECONDS, limit.signal)]);
    limit.abort();
  }

  async #watch(source: TargetSource, index: number, onFirst: () => void): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        for await (const targets of source.watch(signal, message => this.#addProblem(index, message))) {
          if (signal.aborted) return;
          this.#addList(index, targets);
          onFirst();
        }
        return onFirst();
      } catch (error) {
        this.#addProblem(index, (error as Error).message);
        onFirst();
      }
      await pause(RETRY_SECONDS, signal);
    }
  }

  #addList(index: number, targets: readonly Target[]): void {
    const record = this.#records[index]!;
    this.#update(index, { ...record, lists: record.lists + 1 });
    this.#options.onList(index, targets);
  }

  #addProblem(index: number, message: string): void {
    if (this.#stop.signal.aborted) return;
    const record = this.#records[index]!;
    this.#update(index, { ...record, problems: record.problems + 1, last_problem: message });
    if (record.last_problem !== message) this.#options.onProblem({ source: record.name, message });
  }

  /** Reports the sources that have neither yielded a list nor failed in time. */
  #reportMissing(): void {
    for (const [index, { lists, problems }] of this.#records.entries())
      if (lists === 0 && problems === 0)
        this.#addProblem(index, `no list of endpoints within ${FIRST_LISTS_SECONDS} s; still waiting`);
  }

  #update(index: number, record: SourceRecord): void {
    this.#records[index] = record;
    this.#options.onRecord(record);
  }
}
