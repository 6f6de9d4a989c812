/** Kinds of marks: the start and the end of profiling, and notes. */
export const MARK_KINDS = ['profiling-start', 'profiling-end', 'note'] as const;

export type MarkKind = (typeof MARK_KINDS)[number];

/** A request to mark a point in time. On the socket it is one line of JSON. */
export interface MarkRequest {
  readonly mark: MarkKind;
  /** Text of a note; for other kinds, the name of the kind. */
  readonly text: string;
  /** Name of the sender, chosen by the client. */
  readonly sender: string;
}

/**
 * The response, also one line of JSON. It is sent after the mark has taken effect: for a phase change, after
 * the barrier scrape.
 */
export type MarkResponse =
  | {
      readonly ok: true;
      /** Time of the mark, in nanoseconds since 1970. */
      readonly time_ns: string;
      readonly message: string;
    }
  | { readonly ok: false; readonly error: string };

/** Maximum length of a request line, in bytes. JSON may take 12 bytes per character, as in \ud83d\ude00. */
export const MAX_REQUEST_BYTES = 16_384;
/** Maximum length of a note, in characters. */
export const MAX_NOTE_CHARACTERS = 1000;
/** Maximum length of the name of a sender, in characters. */
export const MAX_SENDER_CHARACTERS = 100;

/** Thrown for an invalid request. Its message is sent to the client. */
export class MarkRequestError extends Error {
  override readonly name: string = 'MarkRequestError';
}

/** Parses an untrusted request. Throws `MarkRequestError` if it is invalid. */
export function parseRequest(line: Uint8Array): MarkRequest {
  const request = parseObject(line);
  const { mark, text, sender } = request;
  if (!MARK_KINDS.includes(mark as MarkKind))
    throw new MarkRequestError(`mark is ${quote(mark)}; expected ${MARK_KINDS.join(', ')}`);
  return {
    mark: mark as MarkKind,
    text: mark === 'note' ? readText('text', text, MAX_NOTE_CHARACTERS) : (mark as MarkKind),
    sender: sender === undefined ? 'unknown' : readText('sender', sender, MAX_SENDER_CHARACTERS),
  };
}

function parseObject(line: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    throw new MarkRequestError('the request is not JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MarkRequestError('the request is not a JSON object');
  return value as Record<string, unknown>;
}

function readText(name: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw new MarkRequestError(`${name} is ${quote(value)}; expected a non-empty text`);
  const length = countCharacters(value);
  if (length > maxLength)
    throw new MarkRequestError(`${name} has ${length} characters; expected at most ${maxLength}`);
  // Replaces lone surrogates, which cannot be written as UTF-8.
  return Buffer.from(value, 'utf8').toString('utf8');
}

/** Counts code points. An emoji, for example, is one character and two UTF-16 units. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function quote(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
