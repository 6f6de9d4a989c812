/** A condition on a label. The regular expressions of `=~` and `!~` match the whole value. */
export interface Matcher {
  readonly at: number;
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** Selects series by name and labels, and one of their statistics. */
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

/** A parsed rule. `at` is the offset in its text. */
export type Expression =
  | Selector
  | { readonly kind: 'number'; readonly at: number; readonly value: number; readonly unit: string | null }
  | { readonly kind: 'baseline'; readonly at: number }
  | { readonly kind: 'negative'; readonly at: number; readonly operand: Expression }
  | { readonly kind: 'not'; readonly at: number; readonly operand: Expression }
  | { readonly kind: 'call'; readonly at: number; readonly name: FunctionName; readonly argument: Expression }
  | (TwoSided & { readonly kind: 'binary'; readonly operator: '+' | '-' | '*' | '/' })
  | (TwoSided & { readonly kind: 'comparison'; readonly operator: Comparator })
  | (TwoSided & { readonly kind: 'logic'; readonly operator: 'and' | 'or' });

interface TwoSided {
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
