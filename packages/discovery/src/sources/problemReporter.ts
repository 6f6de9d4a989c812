/** Reports each problem once, until it has ended or another one replaces it. */
export class ProblemReporter {
  readonly #onProblem: (message: string) => void;
  #current: string | undefined;

  constructor(onProblem: (message: string) => void) {
    this.#onProblem = onProblem;
  }

  report(message: string): void {
    if (message === this.#current) return;
    this.#current = message;
    this.#onProblem(message);
  }

  /** Ends the current problem, so that it is reported again if it recurs. */
  clear(): void {
    this.#current = undefined;
  }
}
