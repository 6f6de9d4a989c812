import type { Random } from '@org/core';
import type { Tokenizer, Vocabulary } from '../tokens/tokenizer.ts';
import { cutText } from './cutText.ts';

/** Maximum number of attempts to reach the requested length: the decoded text of random tokens has other tokens. */
const MAX_ATTEMPTS = 10;

/** Number of tokens by which a text is too long before it is cut. */
const EXCESS = 8;

/** A text, and the number of tokens by which it differs from the requested length. */
interface Attempt {
  readonly text: string;
  readonly error: number;
}

/**
 * Generates texts from successive tokens of the vocabulary, from a random one on, as the benchmarks of vLLM and SGLang
 * do.
 */
export class RandomTokenGenerator {
  readonly #tokenizer: Tokenizer;
  readonly #vocabulary: Vocabulary;

  constructor(tokenizer: Tokenizer, vocabulary: Vocabulary) {
    this.#tokenizer = tokenizer;
    this.#vocabulary = vocabulary;
  }

  /** The length of a text may differ by a few tokens from the requested length. */
  get isExact(): boolean {
    return false;
  }

  /** Generates a text of `tokens` tokens, or as close to that length as possible. */
  generate(tokens: number, random: Random): string {
    const { size } = this.#vocabulary;
    const offset = random.below(size);
    let length = tokens;
    let best: Attempt = { text: '', error: Number.POSITIVE_INFINITY };
    for (let attempt = 0; attempt < MAX_ATTEMPTS && best.error > 0; attempt++) {
      const text = this.#decode(offset, length);
      const missing = tokens - this.#tokenizer.count(text);
      if (Math.abs(missing) < best.error) best = { text, error: Math.abs(missing) };
      length = Math.max(1, length + missing);
    }
    return best.error === 0 ? best.text : this.#cut(offset, length, tokens, best);
  }

  #decode(offset: number, length: number): string {
    const { size, decode } = this.#vocabulary;
    return decode(Array.from({ length }, (_, index) => (offset + index) % size));
  }

  /** Cuts a text that is a little too long, if this is closer to the requested length than `best`. */
  #cut(offset: number, length: number, tokens: number, best: Attempt): string {
    const longText = this.#decode(offset, length + EXCESS);
    const count = this.#tokenizer.count(longText);
    if (count < tokens) return best.text;
    const text = cutText(longText, count, tokens, this.#tokenizer);
    return Math.abs(this.#tokenizer.count(text) - tokens) < best.error ? text : best.text;
  }
}
