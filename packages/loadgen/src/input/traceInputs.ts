import type { Conversation, Inputs, Turn } from './conversation.ts';
import {
  checkAlternatives,
  checkFields,
  checkFirstTurn,
  type Fields,
  InputError,
  readDelay,
  readJsonLines,
  readOptionalNumber,
  readOptionalText,
} from './inputFile.ts';
import { createInputs, type FileOptions } from './sampling.ts';
import { MAX_TEXT_TOKENS } from './textGenerator.ts';
import { TraceText, type TraceTextOptions } from './traceText.ts';

/** Options of {@link openTraceInputs}. */
export interface TraceOptions extends FileOptions, TraceTextOptions {
  /** Start of the schedule, as a timestamp of the trace in ms; by default, the first timestamp. */
  readonly startMs?: number;
  /** End of the schedule, as a timestamp of the trace in ms, inclusive. */
  readonly endMs?: number;
}

/** One line of a trace; lengths are in tokens, timestamps in ms. */
interface TraceEntry {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly timestamp: number | undefined;
  readonly session: string;
  readonly input: number;
  readonly output: number | undefined;
  readonly hashIds: readonly number[];
  readonly delayMs: number | undefined;
  readonly text: string | undefined;
}

/**
 * Reads a trace in Mooncake's format (FAST '25): `{"timestamp": ms, "input_length": tokens, "output_length":
 * tokens, "hash_ids": [...]}`. Each hash id stands for the same text wherever it occurs, so that the server's
 * prefix cache hits as often as in the original workload; text after the last block is unique. Lines with the
 * same `session_id` are the turns of one conversation: each is sent at its timestamp, or `delay` ms after the
 * previous response, and never before that response. `text_input` replaces the generated prompt. Rejects with
 * the file and line number if a line is invalid.
 */
export async function openTraceInputs(path: string, options: TraceOptions = {}): Promise<Inputs> {
  const { startMs = 0, endMs = Number.POSITIVE_INFINITY } = options;
  const texts = new TraceText(options);
  const entries = await readJsonLines(path, (line, number) => parseEntry(line, number, texts.blockTokens));
  for (const [first] of groupSessions(entries)) checkFirstTurn(path, first!.line, first!.delayMs);
  const selected = entries.filter(({ timestamp: at }) => at === undefined || (at >= startMs && at <= endMs));
  if (selected.length === 0 && entries.length > 0) throw createEmptyRangeError(path, entries, startMs, endMs);
  const firstMs = selected.reduce(
    (min, { timestamp }) => Math.min(min, timestamp ?? min),
    Number.POSITIVE_INFINITY,
  );
  const originMs = options.startMs ?? firstMs;
  const sessions = groupSessions(selected).sort((a, b) => (a[0]!.timestamp ?? 0) - (b[0]!.timestamp ?? 0));
  return createInputs(
    path,
    // Prompts are long, so they are generated only when needed.
    sessions.map(session => () => createConversation(session, texts, originMs)),
    sessions.map(([entry]) => (entry!.timestamp === undefined ? undefined : entry!.timestamp - originMs)),
    options,
  );
}

function createEmptyRangeError(
  path: string,
  entries: readonly TraceEntry[],
  startMs: number,
  endMs: number,
): InputError {
  const times = entries.flatMap(({ timestamp }) => timestamp ?? []);
  const [min, max] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const range = Number.isFinite(endMs) ? `from ${startMs} to ${endMs} ms` : `from ${startMs} ms`;
  return new InputError(`${path} has no entries ${range}; its timestamps are from ${min} to ${max} ms`);
}

/** Groups entries by session, in the order of each session's first entry. */
function groupSessions(entries: readonly TraceEntry[]): TraceEntry[][] {
  const sessions = new Map<string, TraceEntry[]>();
  for (const entry of entries) {
    const session = sessions.get(entry.session);
    if (session) session.push(entry);
    else sessions.set(entry.session, [entry]);
  }
  return [...sessions.values()];
}

const ENTRY_FIELDS = [
  ...['timestamp', 'input_length', 'output_length', 'hash_ids'],
  ...['text_input', 'session_id', 'delay', 'type'],
];

function parseEntry(line: Fields, number: number, blockTokens: number): TraceEntry {
  checkFields(line, ENTRY_FIELDS);
  checkAlternatives(line, ['text_input', 'input_length']);
  checkAlternatives(line, ['text_input', 'hash_ids']);
  const input = readOptionalTokens(line, 'input_length');
  const text = readOptionalText(line, 'text_input');
  if (input === undefined && text === undefined)
    throw new InputError('missing input_length; expected a number of tokens');
  const { hash_ids: hashIds = [] } = line;
  if (!Array.isArray(hashIds) || !hashIds.every(id => typeof id === 'number'))
    throw new InputError('hash_ids must be a list of numbers');
  checkBlocks(input ?? 0, hashIds.length, blockTokens);
  return {
    line: number,
    timestamp: readOptionalNumber(line, 'timestamp'),
    session: readOptionalText(line, 'session_id') ?? `line-${number}`,
    input: input ?? 0,
    output: readOptionalTokens(line, 'output_length'),
    hashIds,
    delayMs: readDelay(line),
    text,
  };
}

/** Throws an `InputError` if a prompt has more blocks than tokens for them. */
function checkBlocks(tokens: number, blocks: number, blockTokens: number): void {
  const maxBlocks = Math.ceil(Math.max(1, tokens) / blockTokens);
  if (blocks > maxBlocks)
    throw new InputError(
      `hash_ids has ${blocks} blocks of ${blockTokens} tokens, but input_length is ${tokens}; expected at most ${maxBlocks}`,
    );
}

function readOptionalTokens(line: Fields, name: string): number | undefined {
  const value = readOptionalNumber(line, name);
  if (value === undefined || (Number.isInteger(value) && value <= MAX_TEXT_TOKENS)) return value;
  throw new InputError(`${name} is ${value}; expected an integer from 0 to ${MAX_TEXT_TOKENS}`);
}

function createConversation(
  entries: readonly TraceEntry[],
  texts: TraceText,
  originMs: number,
): Conversation {
  const id = entries[0]!.session;
  const turns = entries.map((entry, index) =>
    createTurn(entry, index === 0 ? {} : readTurnTiming(entry, originMs), texts, `${id} ${index}`),
  );
  return { id, turns };
}

/** Returns the send time of a turn after the first: a delay, or a timestamp relative to the start of the schedule. */
function readTurnTiming(
  { delayMs, timestamp }: TraceEntry,
  originMs: number,
): Pick<Turn, 'delayMs' | 'atMs'> {
  if (delayMs !== undefined) return { delayMs };
  return timestamp === undefined ? {} : { atMs: Math.max(0, timestamp - originMs) };
}

function createTurn(
  entry: TraceEntry,
  timing: Pick<Turn, 'delayMs' | 'atMs'>,
  texts: TraceText,
  key: string,
): Turn {
  const { text, input, hashIds, output } = entry;
  return {
    text: text ?? texts.generate(input, hashIds, key),
    ...(text === undefined && texts.isExact ? { tokens: Math.max(1, input) } : {}),
    ...(output === undefined ? {} : { maxTokens: Math.max(1, output) }),
    ...timing,
  };
}
