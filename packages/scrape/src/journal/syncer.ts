/** Has something done in the background, within a delay of when it is asked for, and never twice at once. */
export class Syncer {
  readonly #delayMs: number;
  /** Resolves to whether there is more to do. */
  readonly #sync: () => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #isStopped = false;

  constructor(delayMs: number, sync: () => Promise<boolean>) {
    this.#delayMs = delayMs;
    this.#sync = sync;
  }

  /** Asks for it. Keeps no process alive. */
  later(): void {
    if (this.#timer || this.#underWay || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#underWay = this.#run();
    }, this.#delayMs);
    this.#timer.unref();
  }

  /** Waits for what is under way; nothing is begun any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#underWay;
  }

  async #run(): Promise<void> {
    const isMore = await this.#sync();
    this.#underWay = undefined;
    if (isMore) this.later();
  }
}
