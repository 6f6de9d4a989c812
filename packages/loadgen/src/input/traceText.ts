import { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { type Corpus, createGenerator, type PromptGenerator } from './corpus.ts';

/** Block size of Mooncake's traces, in tokens. */
export const DEFAULT_BLOCK_TOKENS = 512;

/** Maximum number of generated blocks to keep; 16,384 blocks of 512 tokens take about 50 MB. */
const MAX_BLOCKS = 16_384;

/** Options of {@link TraceText}. */
export interface TraceTextOptions {
  /** Determines the length of prompts; without a tokenizer, each word counts as one token. */
  readonly tokenizer?: Tokenizer;
  /** Seed of the generated texts; 0 by default. */
  readonly seed?: number;
  /** Number of tokens per block; 512 by default. */
  readonly blockTokens?: number;
  /** The text of prompts; `sonnet` by default. */
  readonly corpus?: Corpus;
}

/** Generates the prompts of a trace. Each hash id stands for the same block of text in all prompts. */
export class TraceText {
  readonly #generator: PromptGenerator;
  readonly #random: Random;
  /** Number of tokens per block. */
  readonly blockTokens: number;
  readonly #blocks = new Map<number, string>();

  /** Throws RangeError if `blockTokens` is not an integer of at least 1. */
  constructor({ tokenizer, seed = 0, blockTokens = DEFAULT_BLOCK_TOKENS, corpus }: TraceTextOptions) {
    if (!(Number.isInteger(blockTokens) && blockTokens >= 1))
      throw new RangeError(`blockTokens is ${blockTokens}; expected an integer of at least 1`);
    this.#generator = createGenerator(tokenizer, corpus);
    this.#random = new Random(seed).fork('trace');
    this.blockTokens = blockTokens;
  }

  /** True if texts have exactly the requested number of tokens. */
  get isExact(): boolean {
    return this.#generator.isExact;
  }

  /**
   * Returns a text of `tokens` tokens (at least 1) that starts with the blocks of `hashIds`; the last block may
   * be partial. `key` determines the text after the blocks.
   */
  generate(tokens: number, hashIds: readonly number[], key: string): string {
    const length = Math.max(1, tokens);
    const wholeBlocks = Math.min(hashIds.length, Math.floor(length / this.blockTokens));
    const texts = hashIds.slice(0, wholeBlocks).map(id => this.#generateBlock(id));
    const remainingTokens = length - wholeBlocks * this.blockTokens;
    if (remainingTokens > 0) {
      const partialId = hashIds[wholeBlocks];
      texts.push(
        this.#generator.generate(
          remainingTokens,
          this.#random.fork(partialId === undefined ? `own ${key}` : `block ${partialId}`),
        ),
      );
    }
    return texts.join(' ');
  }

  #generateBlock(id: number): string {
    const known = this.#blocks.get(id);
    if (known !== undefined) return known;
    const text = this.#generator.generate(this.blockTokens, this.#random.fork(`block ${id}`));
    if (this.#blocks.size >= MAX_BLOCKS) this.#blocks.clear();
    this.#blocks.set(id, text);
    return text;
  }
}
