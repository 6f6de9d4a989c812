import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import colors from 'picocolors';
import type { Io } from './io.ts';
import type { Log } from './log.ts';
import { type TerminalLine, terminalLine } from './terminalline.ts';

/** How often a live line is written again, in ms. */
export const LIVE_MS = 250;
const PLAIN_MS = 10_000;

/** Says how something goes on: one live line on a terminal, or a plain line every ten seconds. */
export class ProgressLine {
  #timer: NodeJS.Timeout | undefined;
  #line: TerminalLine | undefined;

  /** Begins to say what `parts` gives. It keeps no process alive. */
  start(parts: () => readonly string[], io: Io, log: Log, live: boolean): void {
    this.#timer = live
      ? setInterval(this.#liveIn(parts, io), LIVE_MS)
      : setInterval(() => log.info(parts().join(', ')), PLAIN_MS);
    this.#timer.unref();
  }

  /** Makes room for another line on the terminal. */
  clear(): void {
    this.#line?.clear();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  #liveIn(parts: () => readonly string[], io: Io): () => void {
    const line = terminalLine(io);
    const paint = colors.createColors(shouldUseColor(io.stderr, io.env));
    this.#line = line;
    return () => line(liveLine(parts(), getTerminalWidth(io.stderr), paint.bold));
  }
}

/**
 * One line of a terminal, whatever its width: the last column stays free, where some terminals would begin another line.
 * Cut before it is painted, since codes for colours take no room.
 */
export function liveLine(
  parts: readonly string[],
  width: number,
  paintFirst: (text: string) => string,
): string {
  const room = Math.max(1, width - 1);
  const whole = parts.join('  ');
  const text = whole.length <= room ? whole : `${whole.slice(0, room - 1).trimEnd()}…`;
  const first = parts[0]?.length ?? 0;
  return paintFirst(text.slice(0, first)) + text.slice(first);
}
