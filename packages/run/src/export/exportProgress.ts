import { setImmediate } from 'node:timers/promises';
import type { ExportFormat } from '@org/record';

/** A kind of export, as messages name it. */
export type ExportKind = ExportFormat | 'partitioned parquet';

/** The progress of writing an export. */
export interface ExportProgress {
  readonly format: ExportKind;
  /** Share of the export that is written, from 0 to 1; undefined if it is unknown. */
  readonly fraction?: number;
}

/** Maximum time without a pause, in milliseconds. */
const MAX_BUSY_MS = 50;

/**
 * Reports the progress of exports and pauses regularly, so that the process responds to signals and updates its
 * display while an export is computed.
 */
export class ProgressReporter {
  readonly #report: (progress: ExportProgress) => void;
  #format: ExportKind = 'json';
  #total = 0;
  #done = 0;
  #lastPauseMs = 0;

  constructor(report: (progress: ExportProgress) => void = () => {}) {
    this.#report = report;
  }

  /** Starts an export of `total` items; 0 if the number is unknown. */
  start(format: ExportKind, total: number): void {
    this.#format = format;
    this.#total = total;
    this.#done = 0;
    this.#lastPauseMs = performance.now();
    this.#reportNow();
  }

  /** Yields the items, and counts them as written. */
  *count<T>(items: Iterable<T>): Generator<T> {
    for (const item of items) {
      yield item;
      this.#done++;
    }
  }

  /** Yields the chunks with pauses. */
  async *pauseBetween<T>(chunks: Iterable<T>): AsyncGenerator<T> {
    for (const chunk of chunks) {
      yield chunk;
      await this.pause();
    }
  }

  /** Lets the process handle events, unless it has done so recently. */
  async pause(): Promise<void> {
    if (performance.now() - this.#lastPauseMs < MAX_BUSY_MS) return;
    this.#reportNow();
    await setImmediate();
    this.#lastPauseMs = performance.now();
  }

  #reportNow(): void {
    const fraction = this.#total > 0 ? { fraction: Math.min(1, this.#done / this.#total) } : {};
    this.#report({ format: this.#format, ...fraction });
  }
}
