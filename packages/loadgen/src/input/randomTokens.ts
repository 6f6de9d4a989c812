import type { Random } from '@org/core';
import type { Tokenizer, Vocabulary } from '../tokens/tokenizer.ts';

/** Maximum number of attempts to reach the requested length: the decoded text of random tokens has other tokens. */
const MAX_ATTEMPTS = 10;

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
    const { size, decode } = this.#vocabulary;
    const offset = random.below(size);
    let length = tokens;
    let best = { text: '', error: Number.POSITIVE_INFINITY };
    for (let attempt = 0; attempt < MAX_ATTEMPTS && best.error > 0; attempt++) {
      const text = decode(Array.from({ length }, (_, index) => (offset + index) % size));
      const missing = tokens - this.#tokenizer.count(text);
      if (Math.abs(missing) < best.error) best = { text, error: Math.abs(missing) };
      length = Math.max(1, length + missing);
    }
    return best.text;
  }
}
