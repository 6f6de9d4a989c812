import type { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { findVocabulary, type Vocabulary } from './vocabulary.ts';

/** Maximum number of attempts to reach the requested length if a word's token count depends on its neighbors. */
const MAX_ATTEMPTS = 8;

/** Maximum length of a generated text, in tokens; about 60 MB. */
export const MAX_TEXT_TOKENS = 1e7;

/** Generates random texts of a given length in tokens. */
export class TextGenerator {
  readonly #vocabulary: Vocabulary;
  readonly #tokenizer: Tokenizer | undefined;

  constructor(tokenizer?: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.#vocabulary = findVocabulary(tokenizer);
  }

  /** True if texts have exactly the requested number of tokens, as counted by the tokenizer. */
  get isExact(): boolean {
    return this.#tokenizer !== undefined && this.#vocabulary.isExact;
  }

  /** Generates a text of `tokens` tokens, or as close to that length as the tokenizer permits. */
  generate(tokens: number, random: Random): string {
    const words = this.#drawWords(tokens, random);
    if (this.#vocabulary.isExact || !this.#tokenizer) return words.join(' ');
    let text = words.join(' ');
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const count = this.#tokenizer.count(text);
      const missingWords = Math.trunc(((tokens - count) * words.length) / Math.max(1, count));
      // Stop if the difference is less than one word.
      if (missingWords === 0) break;
      if (missingWords > 0) words.push(...this.#drawWords(missingWords, random));
      else words.length = Math.max(1, words.length + missingWords);
      text = words.join(' ');
    }
    return text;
  }

  #drawWords(count: number, random: Random): string[] {
    const { words } = this.#vocabulary;
    const drawnWords = new Array<string>(count);
    for (let i = 0; i < count; i++) drawnWords[i] = words[random.below(words.length)]!;
    return drawnWords;
  }
}
