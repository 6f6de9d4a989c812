import { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Conversation, Inputs, Turn } from './conversation.ts';
import { MOST_TOKENS, Writer } from './textWriter.ts';

/** A length or a time that is drawn from a normal distribution, cut at its least sensible value. */
export interface Spread {
  readonly mean: number;
  readonly stddev?: number;
}

export interface SyntheticOptions {
  readonly seed: number;
  /** Counts the tokens of what is written; without one a word counts as a token. */
  readonly tokenizer?: Tokenizer;
  /** Tokens of each turn. */
  readonly inputTokens: Spread;
  /** Longest answer of each turn, tokens; left to the server when undefined. */
  readonly outputTokens?: Spread;
  /** Turns of a conversation; 1 by default. */
  readonly turns?: Spread;
  /** Between an answer and the next turn, ms; 0 by default. */
  readonly turnDelayMs?: Spread;
  /** Tokens of one system message that all conversations share; none by default. */
  readonly sharedSystemTokens?: number;
  /** How many different conversations there are, one after another and round again; no end by default. */
  readonly entries?: number;
}

/**
 * Conversations made of everyday words. The `index`-th one depends on nothing but the seed and the options, so that a run
 * repeats to the byte, whatever order its requests come in. Throws for lengths that cannot be.
 */
export function syntheticInputs(options: SyntheticOptions): Inputs {
  checked(options);
  const { seed, entries, sharedSystemTokens } = options;
  const writer = new Writer(options.tokenizer);
  const root = new Random(seed).fork('synthetic inputs');
  const system = sharedSystemTokens ? writer.text(sharedSystemTokens, root.fork('system')) : undefined;
  return {
    size: entries,
    startsMs: undefined,
    conversation(index: number): Conversation {
      const number = entries === undefined ? index : index % entries;
      const turns = turnsOf(options, writer, root, number);
      return { id: `synthetic-${number}`, turns, ...(system === undefined ? {} : { system }) };
    },
  };
}

function turnsOf(options: SyntheticOptions, writer: Writer, root: Random, number: number): Turn[] {
  const lengths = root.fork(`lengths ${number}`);
  const words = root.fork(`words ${number}`);
  const count = draw(options.turns ?? { mean: 1 }, 1, lengths);
  return Array.from({ length: count }, (_, turn) => {
    const tokens = draw(options.inputTokens, 1, lengths);
    const maxTokens = options.outputTokens && draw(options.outputTokens, 1, lengths);
    const delayMs = turn === 0 ? 0 : draw(options.turnDelayMs ?? { mean: 0 }, 0, lengths);
    const text = writer.text(tokens, words);
    return {
      text,
      ...(writer.isExact ? { tokens } : {}),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(delayMs > 0 ? { delayMs } : {}),
    };
  });
}

/** Draws a whole number. */
function draw({ mean, stddev = 0 }: Spread, least: number, random: Random): number {
  const drawn = stddev === 0 ? mean : mean + stddev * random.normal();
  return Math.min(MOST_TOKENS, Math.max(least, Math.round(drawn)));
}

function checked({ inputTokens, outputTokens, turns, turnDelayMs, entries }: SyntheticOptions): void {
  const spreads = { inputTokens, outputTokens, turns, turnDelayMs };
  for (const [name, spread] of Object.entries(spreads)) {
    if (!spread) continue;
    const least = name === 'turnDelayMs' ? 0 : 1;
    if (!(spread.mean >= least && spread.mean <= MOST_TOKENS))
      throw new RangeError(
        `${name}: mean is ${spread.mean}; a number from ${least} to ${MOST_TOKENS} is accepted`,
      );
    if (!((spread.stddev ?? 0) >= 0))
      throw new RangeError(`${name}: stddev is ${spread.stddev}; a number from 0 is accepted`);
  }
  if (entries !== undefined && !(Number.isInteger(entries) && entries >= 1))
    throw new RangeError(`entries is ${entries}; a whole number from 1 is accepted`);
}
