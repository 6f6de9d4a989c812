import type { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { CodeGenerator } from './codeGenerator.ts';
import { RandomTokenGenerator } from './randomTokens.ts';
import { TextGenerator } from './textGenerator.ts';

/** The texts that prompts are generated from, by the names of AIPerf: English words, source code, or random tokens. */
export const CORPORA = ['sonnet', 'coding', 'random'] as const;
export type Corpus = (typeof CORPORA)[number];

/** Generates texts of a given length in tokens. */
export interface PromptGenerator {
  /** True if texts have exactly the requested number of tokens, as counted by the tokenizer. */
  readonly isExact: boolean;
  generate(tokens: number, random: Random): string;
}

/** Creates the generator of a corpus. Throws RangeError if random tokens are requested without a tokenizer. */
export function createGenerator(
  tokenizer: Tokenizer | undefined,
  corpus: Corpus = 'sonnet',
): PromptGenerator {
  if (corpus === 'sonnet') return new TextGenerator(tokenizer);
  if (corpus === 'coding') return new CodeGenerator(tokenizer);
  if (!tokenizer?.vocabulary)
    throw new RangeError('random tokens require a tokenizer with a vocabulary; expected the corpus sonnet');
  return new RandomTokenGenerator(tokenizer, tokenizer.vocabulary);
}
