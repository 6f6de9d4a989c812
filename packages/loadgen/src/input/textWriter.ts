import type { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { type Vocabulary, vocabularyFor } from './vocabulary.ts';

/** Most attempts at a length with a tokenizer that sees words in their company. */
const MOST_ATTEMPTS = 8;

/** Longest text that is written, tokens: some 60 MB. */
export const MOST_TOKENS = 1e7;

/** Writes texts of so many tokens. */
export class Writer {
  readonly #vocabulary: Vocabulary;
  readonly #tokenizer: Tokenizer | undefined;

  constructor(tokenizer?: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.#vocabulary = vocabularyFor(tokenizer);
  }

  /** Whether a text has exactly the tokens asked for, as the tokenizer counts them. */
  get isExact(): boolean {
    return this.#tokenizer !== undefined && this.#vocabulary.isExact;
  }

  /** A text of so many tokens: exactly, or as near as the tokenizer lets it. */
  text(tokens: number, random: Random): string {
    const words = this.#words(tokens, random);
    if (this.#vocabulary.isExact || !this.#tokenizer) return words.join(' ');
    let text = words.join(' ');
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const count = this.#tokenizer.count(text);
      const more = Math.trunc(((tokens - count) * words.length) / Math.max(1, count));
      // Nearer than a word one does not come.
      if (more === 0) break;
      if (more > 0) words.push(...this.#words(more, random));
      else words.length = Math.max(1, words.length + more);
      text = words.join(' ');
    }
    return text;
  }

  #words(count: number, random: Random): string[] {
    const { words } = this.#vocabulary;
    const chosen = new Array<string>(count);
    for (let i = 0; i < count; i++) chosen[i] = words[random.below(words.length)]!;
    return chosen;
  }
}
