/** Reports a text that is not JSON, with the position of the error. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;

  constructor(problem: string, text: string, offset: number) {
    const { line, column } = locateOffset(text, offset);
    super(`cannot parse JSON: ${problem} (line ${line}, column ${column})`);
    this.line = line;
    this.column = column;
  }
}

/** Returns the line and column, from 1, of an offset. */
export function locateOffset(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Describes the character at an offset as an unexpected token, for a message. */
export function describeToken(text: string, offset: number): string {
  if (offset >= text.length) return 'unexpected end of input';
  const rest = text.slice(offset, offset + 12);
  if (/^-?(nan|inf)/i.test(rest)) return `${/^-?\w+/.exec(rest)![0]} is not valid JSON`;
  return `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(offset)!))}`;
}
