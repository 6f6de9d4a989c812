import { type Body, sliceText } from './body.ts';
import { type BadLine, ExpositionError } from './exposition.ts';

const MAX_LISTED_LINES = 20;

const MAX_REASON_CHARACTERS = 200;

/** More of a line than is ever shown: the error cuts the text to 200 characters of at most four bytes each. */
const MAX_LINE_BYTES = 1000;

/**
 * Why a line cannot be read: thrown by what reads a piece of it, caught where the line is.
 *
 * Not an `Error`, whose stack trace takes longer to collect than a line to read: a body may have millions of bad lines.
 */
export class LineError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Where a reader of either format puts a line that it cannot read: thrown in strict mode, counted otherwise. */
export class BadLineLog {
  readonly strict: boolean;
  readonly listed: BadLine[] = [];
  count = 0;
  readonly #body: Body;

  constructor(body: Body, strict: boolean) {
    this.#body = body;
    this.strict = strict;
  }

  /** The line from `start` to `end`, counted from 1. Throws `ExpositionError` in strict mode. */
  add(line: number, start: number, end: number, reason: string): void {
    this.count++;
    if (!this.strict && this.listed.length === MAX_LISTED_LINES) return;
    const text = sliceText(this.#body, start, Math.min(end, start + MAX_LINE_BYTES));
    const error = new ExpositionError(line, text, clip(reason));
    if (this.strict) throw error;
    this.listed.push(error);
  }
}

/** A reason may quote what it complains of, which may be as long as the body. */
function clip(reason: string): string {
  return reason.length <= MAX_REASON_CHARACTERS ? reason : `${reason.slice(0, MAX_REASON_CHARACTERS)}…`;
}
