import { createLogUpdate } from 'log-update';
import colors from 'picocolors';
import type { Io } from '../program/command.ts';
import { getTerminalWidth, shouldUseColor } from '../terminal.ts';
import { truncateEnd } from '../text.ts';
import type { Log } from './log.ts';

/** Refresh interval of a live line, in milliseconds. */
const REFRESH_MS = 250;

/** Default interval of progress messages in a log, in seconds. */
const LOG_INTERVAL_S = 10;

/**
 * Assumed size of terminals that report 0 rows and columns, as in CI or under `docker exec -t`. With a size
 * of 0, log-update would print nothing.
 */
const DEFAULT_SIZE = { rows: 24, columns: 80 } as const;

/** Updates a terminal line in place. */
interface TerminalLine {
  (...text: string[]): void;
  clear(): void;
}

/** Shows progress: a live line on a terminal, or a log line every ten seconds or at another interval. */
export class ProgressLine {
  #timer: NodeJS.Timeout | undefined;
  #line: TerminalLine | undefined;

  /**
   * Starts showing the parts that `format` returns: as a live line if `isLive`, otherwise in the log every
   * `logSeconds`; 0 for no messages. The timer does not keep the process alive.
   */
  start(
    format: () => readonly string[],
    io: Io,
    log: Log,
    isLive: boolean,
    logSeconds: number = LOG_INTERVAL_S,
  ): void {
    if (!isLive && logSeconds === 0) return;
    this.#timer = isLive
      ? setInterval(this.#createRefresh(format, io), REFRESH_MS)
      : setInterval(() => log.info(format().join(', ')), logSeconds * 1000);
    this.#timer.unref();
  }

  /** Clears a live line, so that another line can be printed. */
  clear(): void {
    this.#line?.clear();
  }

  /** Stops the updates and clears a live line. */
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

/** Shows a countdown as a live line on a terminal. */
export class CountdownLine {
  #timer: NodeJS.Timeout | undefined;
  #line: TerminalLine | undefined;

  /** Starts a countdown of `seconds`. `format` returns the parts of the line for the remaining whole seconds. */
  start(seconds: number, format: (remaining: number) => readonly string[], io: Io): void {
    const line = createTerminalLine(io);
    const endMs = performance.now() + seconds * 1000;
    const show = (): void => {
      const remaining = Math.max(0, Math.ceil((endMs - performance.now()) / 1000));
      line(formatLiveLine(format(remaining), getTerminalWidth(io.stderr), text => text));
    };
    show();
    this.#line = line;
    this.#timer = setInterval(show, REFRESH_MS);
  }

  /** Stops the countdown and clears the line. */
  stop(): void {
    clearInterval(this.#timer);
    this.#line?.clear();
  }
}

/**
 * Joins parts into a single terminal line, truncated to the width of the terminal. The last column stays
 * empty, because some terminals wrap after it. `paintFirst` colors the first part; it is applied after
 * truncation, because color codes take no columns.
 */
export function formatLiveLine(
  parts: readonly string[],
  width: number,
  paintFirst: (text: string) => string,
): string {
  const columns = Math.max(1, width - 1);
  const joined = parts.join('  ');
  const text = truncateEnd(joined, columns).replace(/\s+…$/, '…');
  const firstLength = parts[0]?.length ?? 0;
  return paintFirst(text.slice(0, firstLength)) + text.slice(firstLength);
}

/**
 * Creates a line on stderr that is updated in place. Updates are skipped while the terminal does not take the previous one, so
 * that they do not fill the memory.
 */
export function createTerminalLine({ stderr }: Pick<Io, 'stderr'>): TerminalLine {
  let waiting = 0;
  const write: NodeJS.WriteStream['write'] = (chunk: string | Uint8Array) => {
    waiting += 1;
    return (stderr as NodeJS.WriteStream).write(chunk, () => {
      waiting -= 1;
    });
  };
  const stream = new Proxy(stderr as NodeJS.WriteStream, {
    get(target, name) {
      if (name === 'write') return write;
      if (name === 'rows' || name === 'columns') return target[name] || DEFAULT_SIZE[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  // log-update would hide the cursor on process.stderr, whatever the stream is.
  const line = createLogUpdate(stream, { showCursor: true });
  const update = (...text: string[]): void => {
    if (waiting === 0) line(...text);
  };
  return Object.assign(update, { clear: line.clear });
}
