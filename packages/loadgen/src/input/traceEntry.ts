import type { Turn } from './conversation.ts';
import { InputError } from './inputError.ts';
import { type Fields, readOptionalNumber } from './inputFile.ts';
import { MAX_TEXT_TOKENS } from './textGenerator.ts';

/** The content of a recorded turn: its text, and the messages or the request body to send. */
export type RecordedContent = Pick<Turn, 'text' | 'payload' | 'messages' | 'extra' | 'isComplete' | 'model'>;

/** One request of a trace; lengths are in tokens, timestamps in ms. */
export interface TraceEntry {
  /** File and line of the entry, as in `trace.jsonl:3`. */
  readonly place: string;
  readonly timestamp: number | undefined;
  /** Entries of the same session are the turns of one conversation. */
  readonly session: string;
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** Ids of the blocks at the start of the prompt. */
  readonly hashIds: readonly number[];
  /** Delay after the previous response. */
  readonly delayMs?: number;
  /** The recorded prompt; without it, a prompt of the length of `input` is generated. */
  readonly content?: RecordedContent;
  /** Additional fields of the request body. */
  readonly extra?: Fields;
  /** Recorded time from the request to the end of its response. */
  readonly durationMs?: number;
  /** True if the response must have exactly the length of `output`. */
  readonly forcesLength?: boolean;
}

/** Groups entries by session, in the order of each session's first entry. */
export function groupSessions(entries: readonly TraceEntry[]): TraceEntry[][] {
  const sessions = new Map<string, TraceEntry[]>();
  for (const entry of entries) {
    const session = sessions.get(entry.session);
    if (session) session.push(entry);
    else sessions.set(entry.session, [entry]);
  }
  return [...sessions.values()];
}

/** Returns a number of tokens, or undefined if it is absent. Throws an `InputError` for any other value. */
export function readOptionalTokens(line: Fields, name: string): number | undefined {
  const value = readOptionalNumber(line, name);
  if (value === undefined || (Number.isInteger(value) && value <= MAX_TEXT_TOKENS)) return value;
  throw new InputError(`${name} is ${value}; expected an integer from 0 to ${MAX_TEXT_TOKENS}`);
}

/** Returns a number of tokens. Throws an `InputError` if it is absent. */
export function readTokens(line: Fields, name: string): number {
  const value = readOptionalTokens(line, name);
  if (value === undefined) throw new InputError(`missing ${name}; expected a number of tokens`);
  return value;
}

/** Returns the ids of blocks; none if they are absent. Throws an `InputError` unless they are numbers. */
export function readHashIds({ hash_ids: ids }: Fields): readonly number[] {
  if (ids === undefined || ids === null) return [];
  if (!Array.isArray(ids) || !ids.every(id => typeof id === 'number'))
    throw new InputError('hash_ids must be a list of numbers');
  return ids;
}
