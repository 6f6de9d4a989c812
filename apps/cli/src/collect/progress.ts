import { formatDuration } from '@org/core';
import type { Log, Phase } from '@org/run/lifecycle';
import type { Clock, Endpoint } from '@org/scrape';
import type { Io } from '../io.ts';
import { ProgressLine } from '../progressline.ts';
import { Headlines } from './headlines.ts';

/** Says how a run goes on. */
export class Progress {
  readonly #line = new ProgressLine();
  readonly #headlines = new Headlines();
  readonly #clock: Clock;
  #phase: Phase = 'warm-up';
  #sinceMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** A new phase, from now on. */
  set phase(phase: Phase) {
    this.#phase = phase;
    this.#sinceMs = this.#clock.monotonicMs();
  }

  start(endpoints: readonly Endpoint[], io: Io, log: Log, live: boolean): void {
    // What came before, finding the servers, is no part of the first phase.
    this.#sinceMs = this.#clock.monotonicMs();
    this.#line.start(() => this.#parts(endpoints), io, log, live);
  }

  /** Makes room for another line on the terminal. */
  clear(): void {
    this.#line.clear();
  }

  stop(): void {
    this.#line.stop();
  }

  #parts(endpoints: readonly Endpoint[]): string[] {
    const up = endpoints.filter(({ health }) => health.status === 'active').length;
    const late = endpoints.reduce((sum, { health }) => sum + health.lateScrapes, 0);
    const samples = endpoints.reduce((sum, { samples }) => sum + samples, 0);
    const elapsed = formatDuration(Math.round((this.#clock.monotonicMs() - this.#sinceMs) / 1000));
    const count = new Intl.NumberFormat('en').format(samples);
    const parts = [`${this.#phase} ${elapsed}`, `${up}/${endpoints.length} up`, `${count} samples`];
    if (late > 0) parts.push(`${late} late`);
    const headlines = this.#headlines.text(endpoints);
    return headlines === '' ? parts : [...parts, headlines];
  }
}
