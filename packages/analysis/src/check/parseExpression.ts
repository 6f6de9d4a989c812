import { SyntaxError as ParserError, parse } from '../generated/expression.js';
import type { Expression } from './expression.ts';
import { ExpressionError } from './expression.ts';

/** The maximum length of a rule. */
const MAX_CHARACTERS = 2000;

/**
 * Parses an expression.
 *
 * @throws ExpressionError if the text is invalid, with the offset of the problem and the tokens expected there
 */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_CHARACTERS)
    throw new ExpressionError(`the rule is longer than ${MAX_CHARACTERS} characters`, text, MAX_CHARACTERS);
  let expression: Expression;
  try {
    expression = parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw new ExpressionError('brackets are nested too deeply', text, 0);
    if (!(error instanceof ParserError)) throw error;
    throw new ExpressionError(describeExpected(error), text, error.location.start.offset);
  }
  checkSemantics(expression, text, false);
  return expression;
}

/** Formats a message such as `expected a metric or a number, but found "<"`. */
function describeExpected({ expected, found }: ParserError): string {
  const words = [...new Set((expected ?? []).map(describeToken))].sort();
  const list =
    words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : (words[0] ?? 'nothing');
  return `expected ${list}, but found ${found === null ? 'the end of the rule' : JSON.stringify(found)}`;
}

function describeToken(token: NonNullable<ParserError['expected']>[number]): string {
  if (token.type === 'end') return 'the end of the rule';
  if (token.type === 'class') return 'an operator';
  const { description = token.text } = token;
  return /^(?:an?|the) /.test(description ?? '') ? description! : JSON.stringify(description);
}

/**
 * Checks constraints that the grammar cannot express: the types of operands and arguments, and the places where
 * `baseline` is allowed.
 */
function checkSemantics(expression: Expression, text: string, isInComparison: boolean): void {
  switch (expression.kind) {
    case 'baseline':
      if (!isInComparison)
        throw new ExpressionError(
          'baseline without a comparison; expected one such as x.avg < 1.1 * baseline',
          text,
          expression.at,
        );
      return;
    case 'call':
      checkCall(expression, text);
      return;
    case 'comparison': {
      const { left, right, at } = expression;
      if (hasBaseline(left) && hasBaseline(right))
        throw new ExpressionError('baseline may be used on one side only', text, at);
      for (const side of [left, right]) {
        if (!isNumeric(side))
          throw new ExpressionError(
            'cannot compare a condition; combine conditions with and, or, not',
            text,
            at,
          );
        checkSemantics(side, text, true);
      }
      return;
    }
    case 'binary':
    case 'negative': {
      const operands =
        expression.kind === 'binary' ? [expression.left, expression.right] : [expression.operand];
      for (const operand of operands) {
        if (!isNumeric(operand))
          throw new ExpressionError(
            'cannot calculate with a condition; expected numbers',
            text,
            expression.at,
          );
        checkSemantics(operand, text, isInComparison);
      }
      return;
    }
    case 'logic':
    case 'not': {
      const operands =
        expression.kind === 'logic' ? [expression.left, expression.right] : [expression.operand];
      for (const operand of operands) {
        if (isNumeric(operand))
          throw new ExpressionError('cannot combine numbers; expected comparisons', text, expression.at);
        checkSemantics(operand, text, false);
      }
      return;
    }
    default:
  }
}

/** Functions that take a metric instead of a number. */
const SERIES_FUNCTIONS: ReadonlySet<string> = new Set(['increase', 'present', 'absent', 'count']);

function checkCall({ name, argument }: Extract<Expression, { kind: 'call' }>, text: string): void {
  if (SERIES_FUNCTIONS.has(name)) {
    if (argument.kind !== 'selector')
      throw new ExpressionError(`${name}() takes a metric`, text, argument.at);
    if (name === 'increase' && argument.stat !== null)
      throw new ExpressionError('increase() takes a metric without a statistic', text, argument.at);
    return;
  }
  if (['sum', 'avg', 'min', 'max'].includes(name)) {
    const isSeries =
      argument.kind === 'selector' || (argument.kind === 'call' && argument.name === 'increase');
    if (!isSeries)
      throw new ExpressionError(
        `${name}() takes a metric with a statistic, or increase()`,
        text,
        argument.at,
      );
  }
  if (!isNumeric(argument)) throw new ExpressionError(`${name}() takes a number`, text, argument.at);
  checkSemantics(argument, text, false);
}

/** Reports whether an expression is a number, as opposed to a condition. */
function isNumeric(expression: Expression): boolean {
  if (expression.kind === 'call') return expression.name !== 'present' && expression.name !== 'absent';
  return !['comparison', 'logic', 'not'].includes(expression.kind);
}

/** Reports whether an expression contains `baseline`. */
export function hasBaseline(expression: Expression): boolean {
  if (expression.kind === 'baseline') return true;
  if (expression.kind === 'binary') return hasBaseline(expression.left) || hasBaseline(expression.right);
  if (expression.kind === 'negative') return hasBaseline(expression.operand);
  return expression.kind === 'call' && hasBaseline(expression.argument);
}
