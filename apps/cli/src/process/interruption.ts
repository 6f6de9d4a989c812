import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that ends a run. */
export type InterruptSignal = (typeof SIGNALS)[number];

/**
 * Time in milliseconds during which signals count as one. A shell may send SIGHUP twice; a terminal sends Ctrl-C to this process and
 * to its parent, which may forward it.
 */
const REPEAT_MS = 300;

/**
 * Handles interrupt signals during a run. The first one ends the run early, with all exports. A later Ctrl-C quits at once.
 */
export class Interruption {
  /** Called at the first signal, to forward it to a command that did not receive it from a terminal. */
  onFirst: (signal: InterruptSignal) => void = () => {};
  /** Called at a later Ctrl-C. */
  onSecond: (signal: InterruptSignal) => void = () => {};
  #received: InterruptSignal | undefined;
  readonly #controller = new AbortController();
  readonly #listener: (signal: InterruptSignal) => void;

  constructor() {
    let firstMs = 0;
    this.#listener = signal => {
      if (this.#received) {
        if (signal === 'SIGINT' && performance.now() - firstMs > REPEAT_MS) this.onSecond(signal);
        return;
      }
      this.#received = signal;
      firstMs = performance.now();
      this.onFirst(signal);
      this.#controller.abort();
    };
    for (const signal of SIGNALS) process.on(signal, this.#listener);
  }

  /** Aborted at the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The first signal; undefined if none was received. */
  get received(): InterruptSignal | undefined {
    return this.#received;
  }

  /** Removes the signal handlers. */
  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener);
  }
}

/** Returns the exit code of a process that was ended by a signal, as shells define it: 128 + the number of the signal. */
export function toExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
