import type { Target, TargetSource } from '@org/scrape';
import { onTestFinished } from 'vitest';

/** Reads the lists and problems of a source during one test. */
export class SourceReader {
  readonly problems: string[] = [];
  readonly #lists: AsyncIterator<readonly Target[]>;
  readonly #end = new AbortController();
  #wake: (() => void) | undefined;

  constructor(source: TargetSource) {
    const onProblem = (message: string): void => {
      this.problems.push(message);
      this.#wake?.();
    };
    this.#lists = source.watch(this.#end.signal, onProblem)[Symbol.asyncIterator]();
    onTestFinished(() => this.#end.abort());
  }

  /** Returns the next list. Throws if the source has ended. */
  async next(): Promise<readonly Target[]> {
    const { done, value } = await this.#lists.next();
    if (done) throw new Error('the source has ended');
    return value;
  }

  /** Returns the URLs of the next list. */
  async nextUrls(): Promise<string[]> {
    return (await this.next()).map(({ url }) => url);
  }

  /** Waits until a problem has been reported, and returns the last one. */
  async waitForProblem(count = 1): Promise<string> {
    while (this.problems.length < count)
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    return this.problems.at(-1)!;
  }

  /** Ends the source. Returns whether it yields no further list. */
  async end(): Promise<boolean> {
    this.#end.abort();
    return (await this.#lists.next()).done === true;
  }
}
