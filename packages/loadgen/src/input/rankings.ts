import type { Random } from '@org/core';
import type { Turn } from './conversation.ts';
import type { PromptGenerator } from './corpus.ts';
import { drawInteger, type ValueDistribution } from './valueDistribution.ts';

/** Options of generated requests to rank passages. Lengths are in tokens. */
export interface RankingOptions {
  /** Number of passages of a request. */
  readonly passages: ValueDistribution;
  readonly passageTokens: ValueDistribution;
  readonly queryTokens: ValueDistribution;
}

/** Maximum number of passages of a request. */
const MAX_PASSAGES = 10_000;

/** Generates a query and the passages to rank. */
export function generateRanking(
  { passages, passageTokens, queryTokens }: RankingOptions,
  generator: PromptGenerator,
  lengths: Random,
  words: Random,
): Turn {
  const count = drawInteger(passages, 1, lengths, MAX_PASSAGES);
  const [query, ...rest] = [queryTokens, ...new Array<ValueDistribution>(count).fill(passageTokens)].map(
    distribution => drawInteger(distribution, 1, lengths),
  );
  const text = generator.generate(query!, words);
  const tokens = rest.reduce((sum, length) => sum + length, query!);
  return {
    text,
    contents: { passages: rest.map(length => generator.generate(length, words)) },
    ...(generator.isExact ? { tokens } : {}),
  };
}
