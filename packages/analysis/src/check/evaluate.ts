import type { Run } from '../run/run.ts';
import { compareNumbers, formatNumbers, MIRRORED, NEGATED } from './comparison.ts';
import { type EvaluationContext, evaluateNumber } from './evaluateNumber.ts';
import type { Comparator, Expression, Selector } from './expression.ts';
import { hasBaseline } from './parseExpression.ts';
import { convertTo, isUnknown, type Quantity, type Unknown } from './quantity.ts';
import type { RateEnds } from './rateEnds.ts';
import { selectSeries } from './selectSeries.ts';
import { readNamedStat } from './statistic.ts';

/** The result of evaluating a rule. */
export interface Evaluation {
  /** True if the rule holds, or the reason why it cannot be evaluated. */
  readonly holds: boolean | Unknown;
  /**
   * The evaluated comparisons and presence checks, such as `found 0.3 seconds, required < 0.5 seconds`, for
   * messages.
   */
  readonly comparisons: readonly string[];
  /** The values of the evaluated comparisons. */
  readonly values: readonly ComparedValues[];
}

/** The values of a comparison. The required value is the constant side, if one side is constant. */
export interface ComparedValues {
  readonly found: number;
  readonly operator: Comparator;
  readonly required: number;
  readonly unit: string | null;
}

interface Context extends EvaluationContext {
  readonly comparisons: string[];
  readonly values: ComparedValues[];
  /** True within an odd number of `not`: the rule requires the opposite of each comparison. */
  readonly isNegated: boolean;
}

/**
 * Evaluates a rule. A missing value is not treated as 0: expressions that depend on it are unknown.
 *
 * @throws ExpressionError if the rule contains an invalid regular expression
 */
export function evaluate(
  rule: Expression,
  text: string,
  run: Run,
  baseline?: Run,
  rateEnds: RateEnds = { run: 'lower', baseline: 'lower' },
): Evaluation {
  const context: Context = { run, baseline, text, rateEnds, comparisons: [], values: [], isNegated: false };
  const holds = evaluateCondition(rule, context);
  return { holds, comparisons: context.comparisons, values: context.values };
}

/**
 * Evaluates a condition in Kleene's three-valued logic: `false and x` is false and `true or x` is true even if
 * `x` is unknown; otherwise a condition with an unknown operand is unknown.
 */
function evaluateCondition(expression: Expression, context: Context): boolean | Unknown {
  switch (expression.kind) {
    case 'logic': {
      const left = evaluateCondition(expression.left, context);
      const right = evaluateCondition(expression.right, context);
      // An operand with this value determines the result: true for `or`, false for `and`.
      const decisive = expression.operator === 'or';
      if (left === decisive || right === decisive) return decisive;
      return isUnknown(left) ? left : right;
    }
    case 'not': {
      const operand = evaluateCondition(expression.operand, { ...context, isNegated: !context.isNegated });
      return isUnknown(operand) ? operand : !operand;
    }
    case 'comparison':
      return compareSides(expression, context);
    case 'call':
      return evaluatePresence(expression, context);
    default:
      return { unknown: 'not a condition; expected a comparison such as x.avg < 5', at: expression.at };
  }
}

/**
 * Evaluates a comparison. A bare `baseline` on one side stands for the value of the other side in the baseline
 * run.
 */
function compareSides(
  { operator, left, right, at }: Extract<Expression, { kind: 'comparison' }>,
  context: Context,
): boolean | Unknown {
  const withoutBaseline = hasBaseline(right) ? left : right;
  const compared = hasBaseline(left) || hasBaseline(right) ? withoutBaseline : undefined;
  const a = evaluateNumber(left, context, compared);
  const b = evaluateNumber(right, context, compared);
  if (isUnknown(a)) return a;
  if (isUnknown(b)) return b;
  const [leftValue, rightValue] =
    a.isBare && !b.isBare ? [convertTo(b, a), b.value] : [a.value, convertTo(a, b)];
  if (typeof leftValue === 'string') return { unknown: leftValue, at };
  if (typeof rightValue === 'string') return { unknown: rightValue, at };
  const required = context.isNegated ? NEGATED[operator] : operator;
  const [leftText, rightText] = formatNumbers(leftValue, rightValue);
  const { unit } = a.isBare ? b : a;
  // The found value is the left side, unless the rule is written as `5s > x.avg`.
  const isMirrored = isConstant(left) && !isConstant(right);
  context.comparisons.push(
    isMirrored
      ? describeComparison(rightText, MIRRORED[required], leftText, unit)
      : describeComparison(leftText, required, rightText, unit),
  );
  context.values.push(
    isMirrored
      ? { found: rightValue, operator: MIRRORED[required], required: leftValue, unit }
      : { found: leftValue, operator: required, required: rightValue, unit },
  );
  return compareNumbers(leftValue, operator, rightValue);
}

function describeComparison(
  found: string,
  operator: string,
  required: string,
  unit: Quantity['unit'],
): string {
  const suffix = unit === null ? '' : ` ${unit}`;
  return `found ${found}${suffix}, required ${operator} ${required}${suffix}`;
}

/** Reports whether an expression consists only of numbers. */
function isConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
      return true;
    case 'negative':
      return isConstant(expression.operand);
    case 'binary':
      return isConstant(expression.left) && isConstant(expression.right);
    default:
      return false;
  }
}

/** Evaluates `present()` and `absent()`. */
function evaluatePresence(
  { name, argument }: Extract<Expression, { kind: 'call' }>,
  { run, text, comparisons }: Context,
): boolean {
  const selector = argument as Selector;
  const { length: count } = selectSeries(run, selector, text).filter(
    series => selector.stat === null || readNamedStat(series, selector.stat) !== undefined,
  );
  comparisons.push(count === 0 ? `${selector.name} is absent` : `${count} series of ${selector.name}`);
  return count > 0 === (name === 'present');
}
