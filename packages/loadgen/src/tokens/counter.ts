import { PIECE_REASONING } from '../response/responseContent.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Texts of one request that are to be counted. */
export interface CountJob {
  /** Each is counted by itself, and they are added up. */
  readonly inputs: readonly string[];
  readonly pieces: readonly string[];
  /** Which of the pieces are reasoning. */
  readonly kinds: Uint8Array;
}

export interface Counted {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  /** Tokens of each piece by itself. */
  readonly pieces: Uint32Array;
}

/** Counts tokens when there is time for it. Answers come in the order of the jobs. */
export interface Counter {
  readonly name: string;
  count(job: CountJob): Promise<Counted>;
  /** Ends it; what is still to be counted is counted first. */
  close(): Promise<void>;
}

/** Counts all texts of a job. */
export function counted(tokenizer: Tokenizer, { inputs, pieces, kinds }: CountJob): Counted {
  const said = (reasoning: boolean): string =>
    pieces.filter((_, index) => (kinds[index] === PIECE_REASONING) === reasoning).join('');
  return {
    input: inputs.reduce((sum, text) => sum + tokenizer.count(text), 0),
    output: tokenizer.count(said(false)),
    reasoning: tokenizer.count(said(true)),
    pieces: Uint32Array.from(pieces, piece => tokenizer.count(piece)),
  };
}

/** Counts in this thread, one job in a turn of the event loop, so that arriving chunks are stamped in between. */
export class IdleCounter implements Counter {
  readonly name: string;
  readonly #tokenizer: Tokenizer;
  #last: Promise<unknown> = Promise.resolve();

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.name = tokenizer.name;
  }

  count(job: CountJob): Promise<Counted> {
    const work = this.#last.then(async () => {
      await new Promise(resolve => setImmediate(resolve));
      return counted(this.#tokenizer, job);
    });
    this.#last = work.catch(() => {});
    return work;
  }

  async close(): Promise<void> {
    await this.#last;
  }
}
