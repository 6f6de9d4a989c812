import { SyntaxError as ParserError, parse } from '../generated/expression.js';
import type { Expression } from './expression.ts';
import { ExpressionError } from './expression.ts';

/** The maximum length of a rule, which is a single line. */
const MAX_CHARACTERS = 2000;

/**
 * Parses an expression.
 *
 * @throws ExpressionError for an invalid text, with the offset of the problem and what was expected there
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
  checkMeaning(expression, text, false);
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
  if (token.type === 'end') return 'the end';
  if (token.type === 'class') return 'an operator';
  return token.description ?? JSON.stringify(token.text);
}

/** Checks what the grammar does not: the arguments of functions, and where `baseline` may occur. */
function checkMeaning(expression: Expression, text: string, compared: boolean): void {
  switch (expression.kind) {
    case 'baseline':
      if (!compared)
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
        checkMeaning(side, text, true);
      }
      return;
    }
    case 'binary':
    case 'negative': {
      const parts = expression.kind === 'binary' ? [expression.left, expression.right] : [expression.operand];
      for (const part of parts) {
        if (!isNumeric(part))
          throw new ExpressionError(
            'cannot calculate with a condition; expected numbers',
            text,
            expression.at,
          );
        checkMeaning(part, text, compared);
      }
      return;
    }
    case 'logic':
    case 'not': {
      const parts = expression.kind === 'logic' ? [expression.left, expression.right] : [expression.operand];
      for (const part of parts) {
        if (isNumeric(part))
          throw new ExpressionError('cannot combine numbers; expected comparisons', text, expression.at);
        checkMeaning(part, text, false);
      }
      return;
    }
    default:
  }
}

const TAKE_SERIES: ReadonlySet<string> = new Set(['increase', 'present', 'absent', 'count']);

function checkCall({ name, argument }: Extract<Expression, { kind: 'call' }>, text: string): void {
  if (TAKE_SERIES.has(name)) {
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
  checkMeaning(argument, text, false);
}

/** Reports whether an expression is a number, as opposed to a condition. */
export function isNumeric(expression: Expression): boolean {
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
