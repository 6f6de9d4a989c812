const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type InterruptSignal = (typeof SIGNALS)[number];

/** A shell may send SIGHUP twice, and a terminal Ctrl-C to us and our parent, which passes it on: that is one wish. */
const ONE_WISH_MS = 300;

/**
 * Ctrl-C and its kin during a run. The first one asks for an early end with all exports; another Ctrl-C, a moment later,
 * means now.
 */
export class Interruption {
  /** Resolves at the first signal. */
  readonly first: Promise<InterruptSignal>;
  /** Called at the first signal; a command hears of it this way when no terminal has told it already. */
  onFirst: (signal: InterruptSignal) => void = () => {};
  /** Called at a later Ctrl-C. */
  onSecond: (signal: InterruptSignal) => void = () => {};
  #received: InterruptSignal | undefined;
  readonly #controller = new AbortController();
  readonly #listener: (signal: InterruptSignal) => void;

  constructor() {
    let firstMs = 0;
    let resolveFirst: (signal: InterruptSignal) => void = () => {};
    this.first = new Promise(resolve => {
      resolveFirst = resolve;
    });
    this.#listener = signal => {
      if (this.#received) {
        if (signal === 'SIGINT' && performance.now() - firstMs > ONE_WISH_MS) this.onSecond(signal);
        return;
      }
      this.#received = signal;
      firstMs = performance.now();
      this.onFirst(signal);
      this.#controller.abort();
      resolveFirst(signal);
    };
    for (const signal of SIGNALS) process.on(signal, this.#listener);
  }

  /** Aborted at the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get received(): InterruptSignal | undefined {
    return this.#received;
  }

  /** Gives the signals back to the process. */
  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener);
  }
}
