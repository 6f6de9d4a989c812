const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type InterruptSignal = (typeof SIGNALS)[number];

/**
 * Ctrl-C and its kin during a run. The first one asks for an early end with all exports; the second means now.
 */
export class Interruption {
  /** Resolves at the first signal. */
  readonly first: Promise<InterruptSignal>;
  /** Called at the first signal; a command hears of it this way when no terminal has told it already. */
  onFirst: (signal: InterruptSignal) => void = () => {};
  /** Called at any later one. */
  onSecond: (signal: InterruptSignal) => void = () => {};
  #received: InterruptSignal | undefined;
  readonly #listener: (signal: InterruptSignal) => void;

  constructor() {
    let resolveFirst: (signal: InterruptSignal) => void = () => {};
    this.first = new Promise(resolve => {
      resolveFirst = resolve;
    });
    this.#listener = signal => {
      if (this.#received) {
        this.onSecond(signal);
        return;
      }
      this.#received = signal;
      this.onFirst(signal);
      resolveFirst(signal);
    };
    for (const signal of SIGNALS) process.on(signal, this.#listener);
  }

  get received(): InterruptSignal | undefined {
    return this.#received;
  }

  /** Gives the signals back to the process. */
  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener);
  }
}
