import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import colors from 'picocolors';
import type { Log } from '../log/log.ts';
import { createTerminalLine, type TerminalLine } from './terminalLine.ts';

/** Refresh interval of a live line, in milliseconds. */
export const REFRESH_MS = 250;

/** Interval of progress messages in a log, in milliseconds. */
const LOG_INTERVAL_MS = 10_000;

/** Shows progress: a live line on a terminal, or a log line every ten seconds. */
export class ProgressLine {
  #timer: NodeJS.Timeout | undefined;
  #line: TerminalLine | undefined;

  /** Starts showing the parts that `format` returns. The timer does not keep the process alive. */
  start(format: () => readonly string[], io: Io, log: Log, live: boolean): void {
    this.#timer = live
      ? setInterval(this.#createRefresh(format, io), REFRESH_MS)
      : setInterval(() => log.info(format().join(', ')), LOG_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Clears a live line, so that another line can be printed. */
  clear(): void {
    this.#line?.clear();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  #createRefresh(format: () => readonly string[], io: Io): () => void {
    const line = createTerminalLine(io);
    const paint = colors.createColors(shouldUseColor(io.stderr, io.env));
    this.#line = line;
    return () => line(formatLiveLine(format(), getTerminalWidth(io.stderr), paint.bold));
  }
}

/**
 * Joins parts into a single terminal line, truncated to its width. The last column stays empty, because some terminals wrap after
 * it. `paintFirst` colors the first part after truncation, because color codes take no columns.
 */
export function formatLiveLine(
  parts: readonly string[],
  width: number,
  paintFirst: (text: string) => string,
): string {
  const columns = Math.max(1, width - 1);
  const whole = parts.join('  ');
  const text = whole.length <= columns ? whole : `${whole.slice(0, columns - 1).trimEnd()}…`;
  const firstLength = parts[0]?.length ?? 0;
  return paintFirst(text.slice(0, firstLength)) + text.slice(firstLength);
}
