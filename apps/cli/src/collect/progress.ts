import { time } from '@org/reader';
import type { Clock, Endpoint } from '@org/scrape';
import { createLogUpdate } from 'log-update';
import colors from 'picocolors';
import { type Io, wantsColor, widthOf } from '../io.ts';
import type { Log } from '../log.ts';
import { Headlines } from './headlines.ts';

/** What the run is doing, in a word. */
export type Phase = 'warm-up' | 'profiling' | 'flush';

const LIVE_MS = 250;
const PLAIN_MS = 10_000;

/** Says how a run goes on: one live line on a terminal, or a plain line every ten seconds. */
export class Progress {
  phase: Phase = 'warm-up';
  readonly #headlines = new Headlines();
  readonly #clock: Clock;
  readonly #startMs: number;
  #timer: NodeJS.Timeout | undefined;
  #line: ReturnType<typeof createLogUpdate> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.monotonicMs();
  }

  start(endpoints: readonly Endpoint[], io: Io, log: Log, live: boolean): void {
    if (live) {
      const line = createLogUpdate(io.stderr as NodeJS.WriteStream);
      const paint = colors.createColors(wantsColor(io.stderr, io.env));
      this.#line = line;
      this.#timer = setInterval(() => {
        line(
          this.#parts(endpoints)
            .map((part, i) => (i === 0 ? paint.bold(part) : part))
            .join('  ')
            .slice(0, 4 * widthOf(io.stderr)),
        );
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
    const elapsed = time(Math.round((this.#clock.monotonicMs() - this.#startMs) / 1000));
    const count = new Intl.NumberFormat('en').format(samples);
    const parts = [`${elapsed} ${this.phase}`, `${up}/${endpoints.length} up`, `${count} samples`];
    if (late > 0) parts.push(`${late} late`);
    const headlines = this.#headlines.text(endpoints);
    return headlines === '' ? parts : [...parts, headlines];
  }
}
