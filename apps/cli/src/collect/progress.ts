import { time, wantsColor, widthOf } from '@org/reader/live';
import type { Clock, Endpoint } from '@org/scrape';
import colors from 'picocolors';
import type { Io } from '../io.ts';
import type { Log } from '../log.ts';
import { type TerminalLine, terminalLine } from '../terminalline.ts';
import { Headlines } from './headlines.ts';

/** What the run is doing, in a word. */
export type Phase = 'warm-up' | 'settling' | 'profiling' | 'after profiling' | 'flush';

const LIVE_MS = 250;
const PLAIN_MS = 10_000;

/** Says how a run goes on: one live line on a terminal, or a plain line every ten seconds. */
export class Progress {
  readonly #headlines = new Headlines();
  readonly #clock: Clock;
  #phase: Phase = 'warm-up';
  #sinceMs: number;
  #timer: NodeJS.Timeout | undefined;
  #line: TerminalLine | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  /** A new phase, from now on. */
  set phase(phase: Phase) {
    this.#phase = phase;
    this.#sinceMs = this.#clock.monotonicMs();
  }

  start(endpoints: readonly Endpoint[], io: Io, log: Log, live: boolean): void {
    // What came before, finding the servers, is no part of the first phase.
    this.#sinceMs = this.#clock.monotonicMs();
    if (live) {
      const line = terminalLine(io);
      const paint = colors.createColors(wantsColor(io.stderr, io.env));
      this.#line = line;
      this.#timer = setInterval(() => {
        line(liveLine(this.#parts(endpoints), widthOf(io.stderr), paint.bold));
      }, LIVE_MS);
    } else {
      this.#timer = setInterval(() => log.info(this.#parts(endpoints).join(', ')), PLAIN_MS);
    }
    this.#timer.unref();
  }

  /** Makes room for another line on the terminal. */
  clear(): void {
    this.#line?.clear();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#line?.clear();
  }

  #parts(endpoints: readonly Endpoint[]): string[] {
    const up = endpoints.filter(({ health }) => health.status === 'active').length;
    const late = endpoints.reduce((sum, { health }) => sum + health.lateScrapes, 0);
    const samples = endpoints.reduce((sum, { samples }) => sum + samples, 0);
    const elapsed = time(Math.round((this.#clock.monotonicMs() - this.#sinceMs) / 1000));
    const count = new Intl.NumberFormat('en').format(samples);
    const parts = [`${this.#phase} ${elapsed}`, `${up}/${endpoints.length} up`, `${count} samples`];
    if (late > 0) parts.push(`${late} late`);
    const headlines = this.#headlines.text(endpoints);
    return headlines === '' ? parts : [...parts, headlines];
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
