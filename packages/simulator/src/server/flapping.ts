import type { Control } from './control.ts';

/** Periods of a server that is up and down in turn, in seconds. */
export interface FlapPeriods {
  readonly up: number;
  readonly down: number;
}

/** Closes the ports of a server again and again, and opens them after each period. */
export class Flapping {
  readonly #control: Control;
  readonly #periods: FlapPeriods;
  #timer: NodeJS.Timeout | undefined;

  constructor(control: Control, periods: FlapPeriods) {
    this.#control = control;
    this.#periods = periods;
  }

  /** Starts with a period when the server is up. */
  start(): void {
    this.#schedule(this.#periods.up);
  }

  /** Ends the periods; the ports stay as they are. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(seconds: number): void {
    const { up, down } = this.#periods;
    this.#timer = setTimeout(() => {
      void this.#control.refuse(down);
      this.#schedule(down + up);
    }, seconds * 1000);
  }
}
