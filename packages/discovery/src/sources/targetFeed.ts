import type { Target, TargetSource } from '@org/scrape';
import type { ChangeLatch } from './changeLatch.ts';

export interface TargetFeedOptions {
  readonly signal: AbortSignal;
  readonly onProblem: (message: string) => void;
  /** Notified after each list, and after a failure. */
  readonly latch: ChangeLatch;
}

/** Reads a source in the background and keeps its last list. */
export class TargetFeed {
  #latest: readonly Target[] | undefined;
  #error: unknown;
  /** Resolves when the source has ended. */
  readonly done: Promise<void>;

  constructor(source: TargetSource, options: TargetFeedOptions) {
    this.done = this.#read(source, options);
  }

  /** The last list; undefined before the first one. Throws the error of the source if it has failed. */
  get latest(): readonly Target[] | undefined {
    if (this.#error !== undefined) throw this.#error;
    return this.#latest;
  }

  async #read(source: TargetSource, { signal, onProblem, latch }: TargetFeedOptions): Promise<void> {
    try {
      for await (const targets of source.watch(signal, onProblem)) {
        this.#latest = targets;
        latch.notify();
      }
    } catch (error) {
      this.#error = error;
      latch.notify();
    }
  }
}

/** Calls `read` with a signal that is aborted when `signal` is, or when the caller stops reading. */
export async function* withOwnSignal<T>(
  signal: AbortSignal,
  read: (signal: AbortSignal) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const end = new AbortController();
  const abort = (): void => end.abort();
  if (signal.aborted) return;
  signal.addEventListener('abort', abort, { once: true });
  try {
    yield* read(end.signal);
  } finally {
    signal.removeEventListener('abort', abort);
    end.abort();
  }
}
