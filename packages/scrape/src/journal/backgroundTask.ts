/** Has something done in the background, within a delay of when it is asked for, and never twice at once. */
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

  /** Asks for it. Keeps no process alive. */
  schedule(): void {
    if (this.#timer || this.#running || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
    }, this.#delayMs);
    this.#timer.unref();
  }

  /** Waits for what is under way; nothing is begun any more. */
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
