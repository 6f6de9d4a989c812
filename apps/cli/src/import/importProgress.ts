import { formatBytes, formatCount } from '@org/core';
import type { ImportEvent } from '@org/importer';
import { type Log, ProgressLine } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';

/** The progress line of an import: pieces and series that were read, then endpoints that were built. */
export class ImportProgress {
  readonly #line = new ProgressLine();
  #parts: readonly string[] = ['connecting'];

  start(io: Io, log: Log): void {
    this.#line.start(() => this.#parts, io, log, io.stderr.isTTY === true);
  }

  handle(event: ImportEvent): void {
    if (event.type === 'read') {
      const { pieces, total, series, bytes } = event;
      this.#parts = [
        `read ${pieces} of ${formatCount(total, 'piece')}`,
        formatCount(series, 'series', 'series'),
        formatBytes(bytes),
      ];
    }
    if (event.type === 'endpoint_built')
      this.#parts = [`decoded ${event.endpoints} of ${formatCount(event.total, 'endpoint')}`];
  }

  /** Shows the number of pages that were read. */
  showPages(pages: number, total: number): void {
    this.#parts = [`read ${pages} of ${formatCount(total, 'page')}`];
  }

  clear(): void {
    this.#line.clear();
  }

  stop(): void {
    this.#line.stop();
  }
}
