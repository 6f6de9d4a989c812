import { type Body, sliceText } from './body.ts';
import { type BadLine, ExpositionError } from './exposition.ts';

const MAX_LISTED_LINES = 20;

const MAX_REASON_CHARACTERS = 200;

/** Bytes of a line to decode. Errors show at most 200 characters, of at most four bytes each. */
const MAX_LINE_BYTES = 1000;

/**
 * The reason why a line is invalid: thrown while a part of the line is parsed, caught for the whole line.
 *
 * Not an `Error`: collecting a stack trace takes longer than parsing a line, and a body may have millions of
 * invalid lines.
 */
export class LineError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * Collects the invalid lines of a body: strict mode throws the first one; otherwise they are counted, and the
 * first 20 are listed.
 */
export class BadLineLog {
  readonly strict: boolean;
  readonly listed: BadLine[] = [];
  count = 0;
  readonly #body: Body;

  constructor(body: Body, strict: boolean) {
    this.#body = body;
    this.strict = strict;
  }

  /**
   * Reports the line from `start` to `end`; `line` is its number, from 1. Throws `ExpositionError` in strict
   * mode.
   */
  add(line: number, start: number, end: number, reason: string): void {
    this.count++;
    if (!this.strict && this.listed.length === MAX_LISTED_LINES) return;
    const text = sliceText(this.#body, start, Math.min(end, start + MAX_LINE_BYTES));
    const error = new ExpositionError(line, text, truncate(reason));
    if (this.strict) throw error;
    this.listed.push(error);
  }
}

/** Truncates a reason, because it may quote text as long as the body. */
function truncate(reason: string): string {
  return reason.length <= MAX_REASON_CHARACTERS ? reason : `${reason.slice(0, MAX_REASON_CHARACTERS)}…`;
}
