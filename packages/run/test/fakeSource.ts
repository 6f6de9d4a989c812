import { once } from 'node:events';
import type { Target, TargetSource } from '@org/scrape';

/** A source whose list of targets a test changes. */
export class FakeSource implements TargetSource {
  readonly name: string;
  readonly #changes = new EventTarget();
  #list: readonly Target[] | undefined;
  #version = 0;
  #error: Error | undefined;
  #onProblem: (message: string) => void = () => {};
  /** Number of times that the source was watched. */
  watches = 0;

  constructor(list?: readonly Target[], name = 'fake source') {
    this.name = name;
    this.#list = list;
    if (list) this.#version = 1;
  }

  /** Replaces the list. */
  set(list: readonly Target[]): void {
    this.#list = list;
    this.#change();
  }

  /** Makes the active and all later watches throw; undefined ends the failure. */
  fail(error: Error | undefined): void {
    this.#error = error;
    this.#change();
  }

  /** Reports a problem, after which the last list stays valid. */
  reportProblem(message: string): void {
    this.#onProblem(message);
  }

  async *watch(
    signal: AbortSignal,
    onProblem: (message: string) => void,
  ): AsyncGenerator<readonly Target[], void, undefined> {
    this.watches++;
    this.#onProblem = onProblem;
    let seen = 0;
    while (!signal.aborted) {
      if (this.#error) throw this.#error;
      if (seen === this.#version) {
        await once(this.#changes, 'change', { signal }).catch(() => {});
        continue;
      }
      seen = this.#version;
      if (this.#list) yield this.#list;
    }
  }

  #change(): void {
    this.#version++;
    this.#changes.dispatchEvent(new Event('change'));
  }
}
