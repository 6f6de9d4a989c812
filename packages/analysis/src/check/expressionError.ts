/** An error in an expression, with its offset in the text. */
export class ExpressionError extends Error {
  override readonly name: string = 'RuleError';
  readonly offset: number;
  readonly expression: string;

  constructor(problem: string, expression: string, offset: number) {
    super(problem);
    this.expression = expression;
    this.offset = offset;
  }
}
