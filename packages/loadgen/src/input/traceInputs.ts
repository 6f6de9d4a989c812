import { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Conversation, Inputs, Turn } from './conversation.ts';
import { type FileOptions, inputsOf, readLines } from './fileInputs.ts';
import { type Fields, InputError, optionalNumber, optionalText } from './inputFile.ts';
import { MOST_TOKENS, Writer } from './textWriter.ts';

export interface TraceOptions extends FileOptions {
  /** Counts the tokens of what is written; without one a word counts as a token. */
  readonly tokenizer?: Tokenizer;
  /** Tokens that one hash id stands for; 512 by default. */
  readonly blockTokens?: number;
  /** Where the schedule begins: at the first timestamp of the trace (default), or at so many ms of it. */
  readonly startMs?: number;
  /** Where it ends, ms of the trace, itself included. */
  readonly endMs?: number;
}

const BLOCK_TOKENS = 512;

/** One line of a trace. */
interface Entry {
  readonly timestamp: number | undefined;
  readonly session: string;
  readonly input: number;
  readonly output: number | undefined;
  readonly hashIds: readonly number[];
  readonly delayMs: number | undefined;
  readonly text: string | undefined;
}

/**
 * Reads a trace in the style of Mooncake (FAST '25): `{"timestamp": ms, "input_length": tokens, "output_length": tokens,
 * "hash_ids": [...]}`. Each hash id stands for the same text wherever it occurs, so that a server's prefix cache hits as it did
 * when the trace was taken; what is longer than its blocks, or has none, is written anew. Lines with one `session_id` are the
 * turns of one conversation: each is said when its timestamp says, but not before the answer before it, or `delay` (ms) after that
 * answer. `text_input` takes the place of what would be written. Rejects with the line's number for what cannot be used.
 */
export async function traceInputs(path: string, options: TraceOptions = {}): Promise<Inputs> {
  const { startMs = 0, endMs = Number.POSITIVE_INFINITY } = options;
  const all = await readLines(path, entryIn);
  const wanted = all.filter(({ timestamp: at }) => at === undefined || (at >= startMs && at <= endMs));
  if (wanted.length === 0 && all.length > 0) throw nothingWithin(path, all, startMs, endMs);
  const first = wanted.reduce(
    (least, { timestamp }) => Math.min(least, timestamp ?? least),
    Number.POSITIVE_INFINITY,
  );
  const origin = options.startMs ?? first;
  const texts = new TraceWriter(options);
  const sessions = sessionsIn(wanted).sort((a, b) => (a[0]!.timestamp ?? 0) - (b[0]!.timestamp ?? 0));
  return inputsOf(
    path,
    // What is written is long: it is written when it is asked for.
    sessions.map(entries => () => conversationOf(entries, texts, origin)),
    sessions.map(([entry]) => (entry!.timestamp === undefined ? undefined : entry!.timestamp - origin)),
    options,
  );
}

function nothingWithin(path: string, all: readonly Entry[], startMs: number, endMs: number): InputError {
  const times = all.flatMap(({ timestamp }) => timestamp ?? []);
  const [least, most] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const until = Number.isFinite(endMs) ? `to ${endMs} ms` : 'on';
  return new InputError(
    `${path} has nothing from ${startMs} ms ${until}; its timestamps are from ${least} to ${most} ms`,
  );
}

/** The lines of each session, in the order of their first lines. */
function sessionsIn(entries: readonly Entry[]): Entry[][] {
  const sessions = new Map<string, Entry[]>();
  for (const entry of entries) {
    const before = sessions.get(entry.session);
    if (before) before.push(entry);
    else sessions.set(entry.session, [entry]);
  }
  return [...sessions.values()];
}

function entryIn(line: Fields, number: number): Entry {
  const input = optionalTokens(line, 'input_length');
  const text = optionalText(line, 'text_input');
  if (input === undefined && text === undefined)
    throw new InputError('there is no input_length; a number of tokens is needed');
  const { hash_ids: hashIds = [] } = line;
  if (!Array.isArray(hashIds) || !hashIds.every(id => typeof id === 'number'))
    throw new InputError('hash_ids must be a list of numbers');
  return {
    timestamp: optionalNumber(line, 'timestamp'),
    session: optionalText(line, 'session_id') ?? `line-${number}`,
    input: input ?? 0,
    output: optionalTokens(line, 'output_length'),
    hashIds,
    delayMs: optionalNumber(line, 'delay'),
    text,
  };
}

function optionalTokens(line: Fields, name: string): number | undefined {
  const value = optionalNumber(line, name);
  if (value === undefined || (Number.isInteger(value) && value <= MOST_TOKENS)) return value;
  throw new InputError(`${name} is ${value}; a whole number from 0 to ${MOST_TOKENS} is accepted`);
}

function conversationOf(entries: readonly Entry[], texts: TraceWriter, origin: number): Conversation {
  const id = entries[0]!.session;
  const turns = entries.map((entry, index) =>
    turnOf(entry, index === 0 ? {} : pauseOf(entry, origin), texts, `${id} ${index}`),
  );
  return { id, turns };
}

/** When a later turn is said: so long after the answer, or when its timestamp says. */
function pauseOf({ delayMs, timestamp }: Entry, origin: number): Pick<Turn, 'delayMs' | 'atMs'> {
  if (delayMs !== undefined) return { delayMs };
  return timestamp === undefined ? {} : { atMs: Math.max(0, timestamp - origin) };
}

function turnOf(entry: Entry, pause: Pick<Turn, 'delayMs' | 'atMs'>, texts: TraceWriter, key: string): Turn {
  const { text, input, hashIds, output } = entry;
  return {
    text: text ?? texts.text(input, hashIds, key),
    ...(text === undefined && texts.isExact ? { tokens: Math.max(1, input) } : {}),
    ...(output === undefined ? {} : { maxTokens: Math.max(1, output) }),
    ...pause,
  };
}

/** Writes the texts that hash ids stand for. */
class TraceWriter {
  readonly #writer: Writer;
  readonly #random: Random;
  readonly #blockTokens: number;
  readonly #blocks = new Map<number, string>();

  constructor({ tokenizer, seed = 0, blockTokens = BLOCK_TOKENS }: TraceOptions) {
    if (!(Number.isInteger(blockTokens) && blockTokens >= 1))
      throw new RangeError(`blockTokens is ${blockTokens}; a whole number from 1 is accepted`);
    this.#writer = new Writer(tokenizer);
    this.#random = new Random(seed).fork('trace');
    this.#blockTokens = blockTokens;
  }

  get isExact(): boolean {
    return this.#writer.isExact;
  }

  /** A text of so many tokens that begins with its blocks; the last block is cut where the text ends. */
  text(tokens: number, hashIds: readonly number[], key: string): string {
    const length = Math.max(1, tokens);
    const whole = Math.min(hashIds.length, Math.floor(length / this.#blockTokens));
    const parts = hashIds.slice(0, whole).map(id => this.#block(id));
    const rest = length - whole * this.#blockTokens;
    if (rest > 0) {
      const next = hashIds[whole];
      parts.push(
        this.#writer.text(rest, this.#random.fork(next === undefined ? `own ${key}` : `block ${next}`)),
      );
    }
    return parts.join(' ');
  }

  #block(id: number): string {
    let text = this.#blocks.get(id);
    if (text === undefined) {
      text = this.#writer.text(this.#blockTokens, this.#random.fork(`block ${id}`));
      this.#blocks.set(id, text);
    }
    return text;
  }
}
