/** A rule that cannot be understood: what is wrong, and at which character of its text. */
export class RuleError extends Error {
  override readonly name: string = 'RuleError';
  readonly offset: number;
  readonly expression: string;

  constructor(problem: string, expression: string, offset: number) {
    super(problem);
    this.expression = expression;
    this.offset = offset;
  }
}

/** The rule with a mark below the character in question; of a long one the part around it. */
export function caret(expression: string, offset: number, width: number): string {
  const room = Math.max(20, width);
  const from = offset < room - 10 ? 0 : offset - Math.floor(room / 2);
  const line = [...expression.slice(from, from + room)].map(blank).join('');
  return `${line}\n${' '.repeat([...expression.slice(from, offset)].length)}^`;
}

/** One column for each character, so that the mark stands where it should. */
function blank(character: string): string {
  return /\s/.test(character) ? ' ' : character;
}
