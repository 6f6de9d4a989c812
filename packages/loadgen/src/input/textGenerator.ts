import type { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { cutText } from './cutText.ts';
import { findVocabulary, type Vocabulary } from './vocabulary.ts';

/** Maximum number of attempts to approach the requested length by adding and removing words. */
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
    const count = this.#fill(words, tokens, random, this.#tokenizer);
    return cutText(words.join(' '), count, tokens, this.#tokenizer);
  }

  /**
   * Adds or removes words until they have at least `tokens` tokens, and few more. Returns the number of tokens that they
   * have together, which is lower only if the tokenizer counts nothing for the words of the vocabulary.
   */
  #fill(words: string[], tokens: number, random: Random, tokenizer: Tokenizer): number {
    let count = tokenizer.count(words.join(' '));
    for (let attempt = 0; attempt < 2 * MAX_ATTEMPTS; attempt++) {
      const missingWords = ((tokens - count) * words.length) / Math.max(1, count);
      // Less than a word too many is cut off afterwards. Words of different lengths can be added and removed in turn
      // forever, so the later attempts only add words.
      const mayRemove = attempt < MAX_ATTEMPTS;
      if (missingWords <= 0 && (missingWords > -1 || !mayRemove)) break;
      if (missingWords > 0) words.push(...this.#drawWords(Math.ceil(missingWords), random));
      else words.length = Math.max(1, words.length + Math.trunc(missingWords));
      count = tokenizer.count(words.join(' '));
    }
    return count;
  }

  #drawWords(count: number, random: Random): string[] {
    const { words } = this.#vocabulary;
    const drawnWords = new Array<string>(count);
    for (let i = 0; i < count; i++) drawnWords[i] = words[random.below(words.length)]!;
    return drawnWords;
  }
}
