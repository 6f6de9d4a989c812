import { formatDuration, formatPercent } from '@org/core';
import type { ExportProgress } from '@org/run/export';
import { type Log, ProgressLine } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';

/** The progress line of exports: format, percentage and elapsed time. It appears only if exports take a while. */
export class ExportLine {
  readonly #line = new ProgressLine();
  #progress: ExportProgress | undefined;
  #startMs = 0;

  /** Shows the progress of an export, and starts the line with the first one. */
  update(progress: ExportProgress, io: Io, log: Log, isLive: boolean): void {
    const isFirst = this.#progress === undefined;
    this.#progress = progress;
    if (!isFirst) return;
    this.#startMs = performance.now();
    this.#line.start(() => this.format(), io, log, isLive);
  }

  /** Returns the parts of the line; an empty list before the first export. */
  format(): readonly string[] {
    if (!this.#progress) return [];
    const { format, fraction } = this.#progress;
    const elapsed = formatDuration(Math.round((performance.now() - this.#startMs) / 1000));
    const percent = fraction === undefined ? '' : ` ${formatPercent(fraction)}`;
    return [`writing exports ${elapsed}`, `${format}${percent}`];
  }

  /** Clears the line, so that other output can be printed. */
  clear(): void {
    this.#line.clear();
  }

  stop(): void {
    this.#line.stop();
    this.#progress = undefined;
  }
}
