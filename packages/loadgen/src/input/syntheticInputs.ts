import { Random } from '@org/core';
import { describeContents, type Media, takeMedia } from '../media/media.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Conversation, Inputs, Turn } from './conversation.ts';
import { type Corpus, createGenerator, type PromptGenerator } from './corpus.ts';
import { drawPair, type LengthPair } from './lengthMix.ts';
import { generateRanking, type RankingOptions } from './rankings.ts';
import { createOrder, type Sampling } from './sampling.ts';
import { MAX_TEXT_TOKENS } from './textGenerator.ts';
import { drawFromRange, type LengthRange } from './uniformRange.ts';
import { drawInteger, type ValueDistribution } from './valueDistribution.ts';

/** Maximum number of turns of a generated conversation. */
export const MAX_TURNS = 10_000;

/** A number of prefixes of the same length, in tokens. */
export interface PrefixPool {
  readonly size: number;
  readonly tokens: number;
}

/** Tokens that are added to the turns of a conversation. */
export interface ReservedTokens {
  readonly firstTurn: number;
  readonly laterTurns: number;
}

/** Options of {@link createSyntheticInputs}. */
export interface SyntheticOptions {
  readonly seed: number;
  /** Determines the length of prompts; without a tokenizer, each word counts as one token. */
  readonly tokenizer?: Tokenizer;
  /** Length of each turn, in tokens; with a mean of 0, turns have no text, but only images and audio clips. */
  readonly inputTokens: ValueDistribution;
  /** Maximum response length of each turn, in tokens; left to the server by default. */
  readonly outputTokens?: ValueDistribution;
  /** Lengths of prompts and responses to draw for each turn, instead of `inputTokens` and `outputTokens`. */
  readonly lengths?: readonly LengthPair[];
  /** Ranges of the lengths of prompts and responses, instead of `inputTokens` and `outputTokens`. */
  readonly range?: LengthRange;
  /** Prefixes of first turns; each conversation has one of them, chosen at random. None by default. */
  readonly prefixes?: PrefixPool;
  /** Number of tokens that other parts of the prompt add to turns, whose length is reduced by them; none by default. */
  readonly reservedTokens?: ReservedTokens;
  /** The text of prompts; `sonnet` by default. */
  readonly corpus?: Corpus;
  /** Number of turns of a conversation; 1 by default. */
  readonly turns?: ValueDistribution;
  /** Delay between a response and the next turn, in ms; 0 by default. */
  readonly turnDelayMs?: ValueDistribution;
  /** Factor of the delays between turns; 1 by default. */
  readonly turnDelayRatio?: number;
  /** Length of a system message shared by all conversations, in tokens; none by default. */
  readonly sharedSystemTokens?: number;
  /** Length of a first user message that differs in each conversation, in tokens; none by default. */
  readonly userContextTokens?: number;
  /** Number of distinct conversations, which are reused; unlimited by default. */
  readonly entries?: number;
  /** The order of the conversations if their number is limited; `sequential` by default. */
  readonly sampling?: Sampling;
  /** Number of texts of a turn, for APIs that accept several; 1 by default, and 0 for turns without text. */
  readonly textsPerTurn?: number;
  /** Queries and passages instead of prompts. */
  readonly rankings?: RankingOptions;
  /** Images and audio clips; none by default. */
  readonly media?: Media;
}

/**
 * Generates conversations from common English words. A conversation depends only on the seed, the options and
 * its index, so that runs are reproducible regardless of the order of requests. Throws RangeError for invalid
 * options.
 */
export function createSyntheticInputs(options: SyntheticOptions): Inputs {
  checkOptions(options);
  const { seed, entries, sharedSystemTokens, userContextTokens, prefixes } = options;
  const generator = createGenerator(options.tokenizer, options.corpus);
  const root = new Random(seed).fork('synthetic inputs');
  const system =
    sharedSystemTokens === undefined
      ? undefined
      : generator.generate(sharedSystemTokens, root.fork('system'));
  const toNumber = entries === undefined ? (index: number) => index : createOrder(entries, options);
  const pool = Array.from({ length: prefixes?.size ?? 0 }, (_, index) =>
    generator.generate(prefixes!.tokens, root.fork(`prefix ${index}`)),
  );
  const selectPrefix = (number: number): string | undefined =>
    pool.length === 0 || !hasText(options)
      ? undefined
      : pool[root.fork(`prefix of ${number}`).below(pool.length)];
  const generate = (number: number): Conversation => {
    const [first, ...others] = generateTurns(options, generator, root, number);
    const prefix = selectPrefix(number);
    return {
      id: `synthetic-${number}`,
      turns: [prefixes && prefix !== undefined ? addPrefix(first!, prefix, prefixes) : first!, ...others],
      ...(system !== undefined && { system }),
      ...(userContextTokens !== undefined && {
        context: generator.generate(userContextTokens, root.fork(`context ${number}`)),
      }),
    };
  };
  return {
    size: entries,
    startsMs: undefined,
    countTurns: index => drawTurnCount(options, root.fork(`lengths ${toNumber(index)}`)),
    getConversation: index => generate(toNumber(index)),
    getEntry: generate,
  };
}

const NO_RESERVE: ReservedTokens = { firstTurn: 0, laterTurns: 0 };

function generateTurns(
  options: SyntheticOptions,
  generator: PromptGenerator,
  root: Random,
  number: number,
): Turn[] {
  const lengths = root.fork(`lengths ${number}`);
  const words = root.fork(`words ${number}`);
  const count = drawTurnCount(options, lengths);
  return Array.from({ length: count }, (_, turn) => {
    const media = takeMedia(options.media, options.turns, number, turn);
    if (options.rankings) return generateRanking(options.rankings, generator, lengths, words);
    const { input, maxTokens } = drawLengths(options, lengths);
    const { firstTurn, laterTurns } = options.reservedTokens ?? NO_RESERVE;
    const tokens = hasText(options) ? Math.max(1, input - (turn === 0 ? firstTurn : laterTurns)) : 0;
    const drawnMs = turn === 0 ? 0 : drawInteger(options.turnDelayMs ?? { mean: 0 }, 0, lengths);
    const delayMs = drawnMs * (options.turnDelayRatio ?? 1);
    const text = tokens === 0 ? '' : generator.generate(tokens, words);
    const others = generateOthers(options, generator, lengths, words);
    return {
      text,
      ...(generator.isExact ? { tokens: others.reduce((sum, other) => sum + other.tokens, tokens) } : {}),
      ...describeContents([text, ...others.map(other => other.text)], media),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(delayMs > 0 ? { delayMs } : {}),
    };
  });
}

/** Draws the number of turns of a conversation: the first number of its lengths. */
function drawTurnCount({ turns = { mean: 1 } }: SyntheticOptions, lengths: Random): number {
  return drawInteger(turns, 1, lengths, MAX_TURNS);
}

/** Reports whether generated turns have text. */
export function hasText({
  inputTokens: { mean, min = 0 },
  textsPerTurn,
  lengths,
  range,
}: Pick<SyntheticOptions, 'inputTokens' | 'textsPerTurn' | 'lengths' | 'range'>): boolean {
  const hasLength = lengths !== undefined || range !== undefined || mean > 0 || min > 0;
  return hasLength && textsPerTurn !== 0;
}

/** Generates the texts of a turn after the first. */
function generateOthers(
  options: SyntheticOptions,
  generator: PromptGenerator,
  lengths: Random,
  words: Random,
): { readonly text: string; readonly tokens: number }[] {
  const count = hasText(options) ? (options.textsPerTurn ?? 1) - 1 : 0;
  return Array.from({ length: count }, () => {
    const { input: tokens } = drawLengths(options, lengths);
    return { text: generator.generate(tokens, words), tokens };
  });
}

/** Draws the lengths of a turn. */
function drawLengths(
  { inputTokens, outputTokens, lengths, range }: SyntheticOptions,
  random: Random,
): { readonly input: number; readonly maxTokens: number | undefined } {
  if (range)
    return { input: drawFromRange(range.input, random), maxTokens: drawFromRange(range.output, random) };
  const { input, output } = lengths
    ? drawPair(lengths, random)
    : { input: inputTokens, output: outputTokens };
  return { input: drawInteger(input, 1, random), maxTokens: output && drawInteger(output, 1, random) };
}

/** Adds a prefix to the first turn. */
function addPrefix({ tokens, ...turn }: Turn, prefix: string, { tokens: prefixTokens }: PrefixPool): Turn {
  const total = tokens === undefined ? {} : { tokens: tokens + prefixTokens };
  return { ...turn, text: `${prefix} ${turn.text}`, ...total };
}

function checkOptions(options: SyntheticOptions): void {
  const { inputTokens, outputTokens, turns, turnDelayMs, sharedSystemTokens, userContextTokens, entries } =
    options;
  const pairs = (options.lengths ?? []).flatMap(({ input, output }, index) => [
    [`lengths ${index}: input`, input] as const,
    [`lengths ${index}: output`, output] as const,
  ]);
  const distributions = { inputTokens, outputTokens, turns, turnDelayMs, ...Object.fromEntries(pairs) };
  for (const [name, distribution] of Object.entries(distributions)) {
    if (!distribution) continue;
    const min = name === 'turnDelayMs' || name === 'inputTokens' ? 0 : 1;
    const max = name === 'turns' ? MAX_TURNS : MAX_TEXT_TOKENS;
    if (!(distribution.mean >= min && distribution.mean <= max))
      throw new RangeError(`${name}: mean is ${distribution.mean}; expected a number from ${min} to ${max}`);
    if (!((distribution.stddev ?? 0) >= 0))
      throw new RangeError(`${name}: stddev is ${distribution.stddev}; expected a number of at least 0`);
  }
  if (sharedSystemTokens !== undefined && !isTokenCount(sharedSystemTokens))
    throw new RangeError(
      `sharedSystemTokens is ${sharedSystemTokens}; expected an integer from 1 to ${MAX_TEXT_TOKENS}`,
    );
  if (userContextTokens !== undefined && !isTokenCount(userContextTokens))
    throw new RangeError(
      `userContextTokens is ${userContextTokens}; expected an integer from 1 to ${MAX_TEXT_TOKENS}`,
    );
  if (entries !== undefined && !(Number.isInteger(entries) && entries >= 1))
    throw new RangeError(`entries is ${entries}; expected an integer of at least 1`);
}

function isTokenCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_TEXT_TOKENS;
}
