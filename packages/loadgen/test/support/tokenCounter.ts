import { type CountJob, type CountResult, countTokens, type TokenCounter } from '../../src/tokens/counter.ts';
import type { Tokenizer } from '../../src/tokens/tokenizer.ts';

/** A counter in the calling thread, so that tests of the sources do not require a built worker thread. */
export class LocalCounter implements TokenCounter {
  readonly name: string;
  readonly #tokenizer: Tokenizer;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.name = tokenizer.name;
  }

  async count(job: CountJob): Promise<CountResult> {
    return countTokens(this.#tokenizer, job);
  }

  async close(): Promise<void> {}
}
