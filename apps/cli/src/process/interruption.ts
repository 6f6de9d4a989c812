import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that ends a run. */
export type InterruptSignal = (typeof SIGNALS)[number];

/**
 * Time in milliseconds after the first signal during which further signals are ignored. One interruption may
 * cause several signals: a shell may send SIGHUP twice, and a terminal sends Ctrl-C to this process and to its
 * parent, which may forward it.
 */
const IGNORE_REPEATED_SIGNALS_MS = 300;

/**
 * Handles interrupt signals during a run. The first signal ends the run early, with exports. A later Ctrl-C quits
 * immediately, without exports.
 */
export class Interruption {
  /** Called on the first signal, before `signal` is aborted. */
  onFirst: (signal: InterruptSignal) => void = () => {};
  /** Called on a later Ctrl-C. */
  onSecond: (signal: InterruptSignal) => void = () => {};
  #received: InterruptSignal | undefined;
  readonly #controller = new AbortController();
  readonly #listener: (signal: InterruptSignal) => void;

  constructor() {
    let firstMs = 0;
    this.#listener = signal => {
      if (this.#received) {
        if (signal === 'SIGINT' && performance.now() - firstMs > IGNORE_REPEATED_SIGNALS_MS)
          this.onSecond(signal);
        return;
      }
      this.#received = signal;
      firstMs = performance.now();
      this.onFirst(signal);
      this.#controller.abort();
    };
    for (const signal of SIGNALS) process.on(signal, this.#listener);
  }

  /** An abort signal that is aborted on the first interrupt signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The first interrupt signal; undefined if none was received. */
  get received(): InterruptSignal | undefined {
    return this.#received;
  }

  /** Removes the signal handlers. */
  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener);
  }
}

/** Returns the exit code of a process terminated by a signal, following shell conventions: 128 + the signal number. */
export function toExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
