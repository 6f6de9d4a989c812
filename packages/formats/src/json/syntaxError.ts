/** A position in a text: line and column, from 1. A column is a UTF-16 code unit. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Error for text that is not valid JSON, with the position of the problem. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1, in UTF-16 code units. */
  readonly column: number;
  /** The problem, without its position. */
  readonly problem: string;
  /** Offset in the parsed text, in UTF-16 code units. */
  readonly offset: number;

  /** @param position the position of the problem; needed if `text` is only a part of the document */
  constructor(
    problem: string,
    text: string,
    offset: number,
    position: Position = locateOffset(text, offset),
  ) {
    const { line, column } = position;
    super(`cannot parse JSON: ${problem} (line ${line}, column ${column})`);
    this.problem = problem;
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}

/** Returns the line and column of an offset, both from 1. */
export function locateOffset(text: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** Describes the unexpected character or the invalid number (such as NaN) at an offset, for a message. */
export function describeToken(text: string, offset: number): string {
  if (offset >= text.length) return 'unexpected end of input';
  const token = text.slice(offset, offset + 12);
  if (/^-?(nan|inf)/i.test(token)) return `${/^-?\w+/.exec(token)![0]} is not valid JSON`;
  return `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(offset)!))}`;
}
