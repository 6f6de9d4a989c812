/** What a mark can be: the edge of a phase, or a note. */
export const MARK_KINDS = ['profiling-start', 'profiling-end', 'note'] as const;

export type MarkKind = (typeof MARK_KINDS)[number];

/** What somebody wants to mark. On the socket it is one line of JSON. */
export interface MarkRequest {
  readonly mark: MarkKind;
  /** What a note says; of an edge its name. */
  readonly text: string;
  /** Who says so, as they call themselves. */
  readonly who: string;
}

/** The answer, one line of JSON too. It comes when the mark is made: for an edge of a phase, after its barrier scrape. */
export type MarkAnswer =
  | { readonly ok: true /** ns since 1970. */; readonly time_ns: string; readonly message: string }
  | { readonly ok: false; readonly error: string };

/** What a request may have: bytes of the line, characters of text and name. JSON may take 12 bytes for a character, as \ud83d\ude00. */
export const REQUEST_BYTES = 16_384;
export const TEXT_CHARACTERS = 1000;
export const WHO_CHARACTERS = 100;

/** A request that is none. */
export class MarkRequestError extends Error {
  override readonly name: string = 'MarkRequestError';
}

/** Reads a request, which anybody may have sent. Throws `MarkRequestError`. */
export function parseRequest(line: Uint8Array): MarkRequest {
  const request = objectOf(line);
  const { mark, text, who } = request;
  if (!MARK_KINDS.includes(mark as MarkKind))
    throw new MarkRequestError(`mark is ${shown(mark)}; expected ${MARK_KINDS.join(', ')}`);
  return {
    mark: mark as MarkKind,
    text: mark === 'note' ? textOf('text', text, TEXT_CHARACTERS) : (mark as MarkKind),
    who: who === undefined ? 'unknown' : textOf('who', who, WHO_CHARACTERS),
  };
}

function objectOf(line: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    throw new MarkRequestError('the request is no JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MarkRequestError('the request is no object');
  return value as Record<string, unknown>;
}

function textOf(name: string, value: unknown, most: number): string {
  if (typeof value !== 'string' || value.trim() === '')
    throw new MarkRequestError(`${name} is ${shown(value)}; expected a text that says something`);
  const length = charactersIn(value);
  if (length > most) throw new MarkRequestError(`${name} has ${length} characters; expected ${most} at most`);
  // Half a pair of surrogates cannot be written as UTF-8.
  return Buffer.from(value, 'utf8').toString('utf8');
}

/** Code points: what lies beyond the 65,536 first ones, such as an emoji, is two units of a string, and one character. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
