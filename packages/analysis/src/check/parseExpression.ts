import { SyntaxError as ParserError, parse } from '../generated/expression.js';
import type { Expression } from './expression.ts';
import { ExpressionError } from './ruleError.ts';

/** A rule is a line; what is longer than this is none. */
const MAX_CHARACTERS = 2000;

/**
 * Reads an expression of `check`.
 *
 * @throws RuleError for a text that is none: what could stand at which character.
 */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_CHARACTERS)
    throw new ExpressionError(`is longer than ${MAX_CHARACTERS} characters`, text, MAX_CHARACTERS);
  let expression: Expression;
  try {
    expression = parse(text);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ExpressionError('has too many brackets in one another', text, 0);
    if (!(error instanceof ParserError)) throw error;
    throw new ExpressionError(expectation(error), text, error.location.start.offset);
  }
  checkMeaning(expression, text, false);
  return expression;
}

/** `expected a number or a metric, but "<" stands there` */
function expectation({ expected, found }: ParserError): string {
  const words = [...new Set((expected ?? []).map(wordOf))].sort();
  const list =
    words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : (words[0] ?? 'nothing');
  return `expected ${list}, but ${found === null ? 'it ends' : `${JSON.stringify(found)} stands`} there`;
}

function wordOf(one: NonNullable<ParserError['expected']>[number]): string {
  if (one.type === 'end') return 'the end';
  if (one.type === 'class') return 'an operator';
  return one.description ?? JSON.stringify(one.text);
}

/** What the grammar cannot say: what functions take, and where `baseline` may stand. */
function checkMeaning(expression: Expression, text: string, compared: boolean): void {
  switch (expression.kind) {
    case 'baseline':
      if (!compared)
        throw new ExpressionError('baseline stands for the other side of a comparison', text, expression.at);
      return;
    case 'call':
      checkCall(expression, text);
      return;
    case 'comparison': {
      const { left, right, at } = expression;
      if (hasBaseline(left) && hasBaseline(right))
        throw new ExpressionError('baseline can stand on one side only', text, at);
      for (const side of [left, right]) {
        if (!isNumeric(side))
          throw new ExpressionError('compares a truth with a number; write and, or, not', text, at);
        checkMeaning(side, text, true);
      }
      return;
    }
    case 'binary':
    case 'negative': {
      const parts = expression.kind === 'binary' ? [expression.left, expression.right] : [expression.operand];
      for (const part of parts) {
        if (!isNumeric(part))
          throw new ExpressionError('computes with a truth; expected numbers', text, expression.at);
        checkMeaning(part, text, compared);
      }
      return;
    }
    case 'logic':
    case 'not': {
      const parts = expression.kind === 'logic' ? [expression.left, expression.right] : [expression.operand];
      for (const part of parts) {
        if (isNumeric(part))
          throw new ExpressionError('joins numbers; expected comparisons', text, expression.at);
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

/** Whether an expression is a number; else it is true or false. */
export function isNumeric(expression: Expression): boolean {
  if (expression.kind === 'call') return expression.name !== 'present' && expression.name !== 'absent';
  return !['comparison', 'logic', 'not'].includes(expression.kind);
}

/** Whether the bare word stands somewhere within. */
export function hasBaseline(expression: Expression): boolean {
  if (expression.kind === 'baseline') return true;
  if (expression.kind === 'binary') return hasBaseline(expression.left) || hasBaseline(expression.right);
  if (expression.kind === 'negative') return hasBaseline(expression.operand);
  return expression.kind === 'call' && hasBaseline(expression.argument);
}
