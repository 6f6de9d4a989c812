import { type Body, cut } from './body.ts';
import { type BadLine, ExpositionError } from './exposition.ts';

const MOST_KEPT = 20;

const LONGEST_REASON = 200;

/** More of a line than is ever shown: the error cuts the text to 200 characters of at most four bytes each. */
const MOST_BYTES = 1000;

/** Where a reader of either format puts a line that it cannot read: thrown in strict mode, counted otherwise. */
export class BadLines {
  readonly strict: boolean;
  readonly kept: BadLine[] = [];
  count = 0;
  readonly #body: Body;

  constructor(body: Body, strict: boolean) {
    this.#body = body;
    this.strict = strict;
  }

  /** The line from `start` to `end`, counted from 1. Throws `ExpositionError` in strict mode. */
  add(line: number, start: number, end: number, reason: string): void {
    this.count++;
    if (!this.strict && this.kept.length === MOST_KEPT) return;
    const text = cut(this.#body, start, Math.min(end, start + MOST_BYTES));
    const error = new ExpositionError(line, text, clip(reason));
    if (this.strict) throw error;
    this.kept.push(error);
  }
}

/** A reason may quote what it complains of, which may be as long as the body. */
function clip(reason: string): string {
  return reason.length <= LONGEST_REASON ? reason : `${reason.slice(0, LONGEST_REASON)}…`;
}
