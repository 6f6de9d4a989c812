/** Error for text that is not valid JSON, with the position of the problem. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1, in UTF-16 code units. */
  readonly column: number;

  constructor(problem: string, text: string, offset: number) {
    const { line, column } = locateOffset(text, offset);
    super(`cannot parse JSON: ${problem} (line ${line}, column ${column})`);
    this.line = line;
    this.column = column;
  }
}

/** Returns the line and column of an offset, both from 1. */
export function locateOffset(text: string, offset: number): { line: number; column: number } {
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
