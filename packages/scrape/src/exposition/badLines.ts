import { type Body, sliceText } from './body.ts';
import { type BadLine, ExpositionError } from './exposition.ts';

const MAX_LISTED_LINES = 20;

const MAX_REASON_CHARACTERS = 200;

/** Maximum number of bytes of a line to decode. Errors show up to 200 characters of up to four bytes each. */
const MAX_LINE_BYTES = 1000;

/**
 * Thrown for an invalid line by the functions that parse its parts, and caught where the whole line is read.
 *
 * Not an `Error`, because capturing a stack trace takes longer than parsing a line, and a body may have
 * millions of invalid lines.
 */
export class LineError {
  /** The reason why the line is invalid. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * Collects the invalid lines of a body. In strict mode, the first invalid line throws `ExpositionError`.
 * Otherwise all invalid lines are counted and the first 20 are listed.
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
   * Records the line from byte `start` to `end` as invalid; `line` is its number, counted from 1. Throws
   * `ExpositionError` in strict mode.
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

/** Truncates a reason, which may quote text of any length. */
function truncate(reason: string): string {
  return reason.length <= MAX_REASON_CHARACTERS ? reason : `${reason.slice(0, MAX_REASON_CHARACTERS)}…`;
}
