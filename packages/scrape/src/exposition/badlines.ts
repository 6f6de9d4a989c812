import { type Body, decode } from './body.ts';
import { type BadLine, ExpositionError } from './exposition.ts';

const MOST_KEPT = 20;

const LONGEST_REASON = 200;

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
    const text = decode(this.#body, this.#body.text.slice(start, end));
    const error = new ExpositionError(line, text, clip(reason));
    if (this.strict) throw error;
    this.kept.push(error);
  }
}

/** A reason may quote what it complains of, which may be as long as the body. */
function clip(reason: string): string {
  return reason.length <= LONGEST_REASON ? reason : `${reason.slice(0, LONGEST_REASON)}…`;
}
