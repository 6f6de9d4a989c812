/** Runs a task in the background, within a delay of each request and never twice at once. */
export class BackgroundTask {
  readonly #delayMs: number;
  /** Resolves to whether there is more to do. */
  readonly #task: () => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(delayMs: number, task: () => Promise<boolean>) {
    this.#delayMs = delayMs;
    this.#task = task;
  }

  /** Requests a run of the task. The timer does not keep the process alive. */
  schedule(): void {
    if (this.#timer || this.#running || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
    }, this.#delayMs);
    this.#timer.unref();
  }

  /** Waits for the active run of the task, and prevents further runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const hasMore = await this.#task();
    this.#running = undefined;
    if (hasMore) this.schedule();
  }
}
