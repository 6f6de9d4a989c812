import { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { TextWriter } from './textWriter.ts';

/** Block size of Mooncake's traces, in tokens. */
const DEFAULT_BLOCK_TOKENS = 512;

/** Options of {@link TraceText}. */
export interface TraceTextOptions {
  /** Determines the length of prompts; without a tokenizer, each word counts as one token. */
  readonly tokenizer?: Tokenizer;
  readonly seed?: number;
  /** Number of tokens that one hash id stands for; 512 by default. */
  readonly blockTokens?: number;
}

/** Writes the prompts of a trace. Each hash id stands for the same block of text in all prompts. */
export class TraceText {
  readonly #writer: TextWriter;
  readonly #random: Random;
  readonly #blockTokens: number;
  readonly #blocks = new Map<number, string>();

  /** Throws if `blockTokens` is invalid. */
  constructor({ tokenizer, seed = 0, blockTokens = DEFAULT_BLOCK_TOKENS }: TraceTextOptions) {
    if (!(Number.isInteger(blockTokens) && blockTokens >= 1))
      throw new RangeError(`blockTokens is ${blockTokens}; expected an integer of at least 1`);
    this.#writer = new TextWriter(tokenizer);
    this.#random = new Random(seed).fork('trace');
    this.#blockTokens = blockTokens;
  }

  /** True if texts have exactly the requested number of tokens. */
  get isExact(): boolean {
    return this.#writer.isExact;
  }

  /** Returns a text of `tokens` tokens that starts with its blocks; the last block may be partial. */
  write(tokens: number, hashIds: readonly number[], key: string): string {
    const length = Math.max(1, tokens);
    const whole = Math.min(hashIds.length, Math.floor(length / this.#blockTokens));
    const parts = hashIds.slice(0, whole).map(id => this.#writeBlock(id));
    const rest = length - whole * this.#blockTokens;
    if (rest > 0) {
      const next = hashIds[whole];
      parts.push(
        this.#writer.write(rest, this.#random.fork(next === undefined ? `own ${key}` : `block ${next}`)),
      );
    }
    return parts.join(' ');
  }

  #writeBlock(id: number): string {
    let text = this.#blocks.get(id);
    if (text === undefined) {
      text = this.#writer.write(this.#blockTokens, this.#random.fork(`block ${id}`));
      this.#blocks.set(id, text);
    }
    return text;
  }
}
