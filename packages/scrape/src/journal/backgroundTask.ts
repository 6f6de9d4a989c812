/** Runs a task in the background after a delay. Requests during the delay or an active run have no effect. */
export class BackgroundTask {
  readonly #delayMs: number;
  /** The task. Resolves to true if it must run again. */
  readonly #task: () => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #activeRun: Promise<void> | undefined;
  #isStopped = false;

  constructor(delayMs: number, task: () => Promise<boolean>) {
    this.#delayMs = delayMs;
    this.#task = task;
  }

  /** Requests a run of the task after the delay. The timer does not keep the process alive. */
  schedule(): void {
    if (this.#timer || this.#activeRun || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#activeRun = this.#run();
    }, this.#delayMs);
    this.#timer.unref();
  }

  /** Prevents further runs of the task and waits for the active one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#activeRun;
  }

  async #run(): Promise<void> {
    const shouldRunAgain = await this.#task();
    this.#activeRun = undefined;
    if (shouldRunAgain) this.schedule();
  }
}
