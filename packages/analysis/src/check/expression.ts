/**
 * A condition on a label. `at` is its offset in the text of the rule. The regular expressions of `=~` and `!~`
 * are matched against the whole label value.
 */
export interface Matcher {
  readonly at: number;
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** Selects series by metric name and labels, and optionally one statistic; `stat` is null if the rule names none. */
export interface Selector {
  readonly kind: 'selector';
  readonly at: number;
  readonly name: string;
  readonly matchers: readonly Matcher[];
  readonly stat: string | null;
}

export type Comparator = '<' | '<=' | '>' | '>=' | '==' | '!=';
export type FunctionName =
  | 'increase'
  | 'present'
  | 'absent'
  | 'count'
  | 'sum'
  | 'avg'
  | 'min'
  | 'max'
  | 'abs'
  | 'baseline';

/** A parsed rule, or a part of it. `at` is the offset in the text of the rule. */
export type Expression =
  | Selector
  | { readonly kind: 'number'; readonly at: number; readonly value: number; readonly unit: string | null }
  | { readonly kind: 'baseline'; readonly at: number }
  | { readonly kind: 'negative'; readonly at: number; readonly operand: Expression }
  | { readonly kind: 'not'; readonly at: number; readonly operand: Expression }
  | { readonly kind: 'call'; readonly at: number; readonly name: FunctionName; readonly argument: Expression }
  | (BinaryOperation & { readonly kind: 'binary'; readonly operator: '+' | '-' | '*' | '/' })
  | (BinaryOperation & { readonly kind: 'comparison'; readonly operator: Comparator })
  | (BinaryOperation & { readonly kind: 'logic'; readonly operator: 'and' | 'or' });

/** The operands of an operator, and the offset of the operator. */
interface BinaryOperation {
  readonly at: number;
  readonly left: Expression;
  readonly right: Expression;
}

/** An error in the text of an expression, with the offset of the problem. */
export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError';
  readonly offset: number;
  readonly expression: string;

  constructor(problem: string, expression: string, offset: number) {
    super(problem);
    this.expression = expression;
    this.offset = offset;
  }
}
