import { formatDuration } from '@org/core';
import { getTerminalWidth } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import type { Log } from '../log/log.ts';
import { formatLiveLine, REFRESH_MS } from './progressLine.ts';
import { createTerminalLine, type TerminalLine } from './terminalLine.ts';

/** The progress of a cool-down between two runs: a countdown on a terminal, otherwise a single log line. */
export class CooldownLine {
  readonly #io: Io;
  readonly #log: Log;
  readonly #live: boolean;
  #line: TerminalLine | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(io: Io, log: Log, live: boolean) {
    this.#io = io;
    this.#log = log;
    this.#live = live;
  }

  /** Shows a cool-down of `seconds` before the run with the name `next`. */
  start(seconds: number, next: string): void {
    if (!this.#live) {
      this.#log.info(`cooling down ${formatDuration(seconds)} before ${next}`);
      return;
    }
    const line = createTerminalLine(this.#io);
    const endMs = performance.now() + seconds * 1000;
    const show = (): void => {
      const left = Math.max(0, Math.ceil((endMs - performance.now()) / 1000));
      const parts = [`cooling down ${formatDuration(left)}`, `then ${next}`];
      line(formatLiveLine(parts, getTerminalWidth(this.#io.stderr), text => text));
    };
    show();
    this.#line = line;
    this.#timer = setInterval(show, REFRESH_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#line?.clear();
  }
}
