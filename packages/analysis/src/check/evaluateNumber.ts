import { mean, sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import type { Expression, FunctionName, Selector } from './expression.ts';
import { convertTo, isUnknown, type Quantity, toLiteral, toUnitless, type Unknown } from './quantity.ts';
import type { RateEnds } from './rateEnds.ts';
import { selectSeries } from './selectSeries.ts';
import { readIncreases, readSeriesValues, requireSingleSeries } from './seriesValues.ts';
import { readNamedStat } from './statistic.ts';

/** The runs that an expression refers to, and the text of the rule for messages. */
export interface EvaluationContext {
  readonly run: Run;
  readonly baseline: Run | undefined;
  readonly text: string;
  /** The ends of the rates that are known only as intervals; the lower ends by default. */
  readonly rateEnds?: RateEnds;
}

/**
 * Evaluates an expression to a number.
 *
 * @param compared the side of the comparison without `baseline`; a bare `baseline` on the other side stands for
 * the value of this side in the baseline run
 */
export function evaluateNumber(
  expression: Expression,
  context: EvaluationContext,
  compared: Expression | undefined,
): Quantity | Unknown {
  switch (expression.kind) {
    case 'number':
      return toLiteral(expression.value, expression.unit);
    case 'selector':
      return requireSingleSeries(readSeriesValues(expression, context), expression);
    case 'baseline':
      return compared === undefined
        ? {
            unknown: 'baseline without a comparison; expected one such as x.avg < 1.1 * baseline',
            at: expression.at,
          }
        : evaluateInBaseline(compared, context, expression.at);
    case 'negative': {
      const operand = evaluateNumber(expression.operand, context, compared);
      return isUnknown(operand) ? operand : { ...operand, value: -operand.value };
    }
    case 'binary':
      return evaluateArithmetic(expression, context, compared);
    case 'call':
      return evaluateCall(expression, context, compared);
    default:
      return { unknown: 'not a number; expected a metric or a number', at: expression.at };
  }
}

function evaluateInBaseline(
  expression: Expression,
  context: EvaluationContext,
  at: number,
): Quantity | Unknown {
  if (!context.baseline) return { unknown: 'no baseline; set --baseline', at };
  const { baseline: rateEnd = 'lower' } = context.rateEnds ?? {};
  const rateEnds: RateEnds = { run: rateEnd, baseline: rateEnd };
  const value = evaluateNumber(expression, { ...context, run: context.baseline, rateEnds }, undefined);
  return isUnknown(value) ? { ...value, unknown: `in the baseline: ${value.unknown}` } : value;
}

function evaluateArithmetic(
  { operator, left, right, at }: Extract<Expression, { kind: 'binary' }>,
  context: EvaluationContext,
  compared: Expression | undefined,
): Quantity | Unknown {
  const a = evaluateNumber(left, context, compared);
  const b = evaluateNumber(right, context, compared);
  if (isUnknown(a)) return a;
  if (isUnknown(b)) return b;
  if (operator === '*' || operator === '/') return multiplyOrDivide(a, operator, b, at);
  const [leftValue, rightValue] = a.isBare ? [convertTo(b, a), b.value] : [a.value, convertTo(a, b)];
  if (typeof leftValue === 'string') return { unknown: leftValue, at };
  if (typeof rightValue === 'string') return { unknown: rightValue, at };
  return { ...(a.isBare ? b : a), value: operator === '+' ? leftValue + rightValue : leftValue - rightValue };
}

/**
 * Multiplies or divides. A quantity that is multiplied or divided by a number without a dimension keeps its
 * unit. Any other result, such as the quotient of two durations, has no unit.
 */
function multiplyOrDivide(a: Quantity, operator: '*' | '/', b: Quantity, at: number): Quantity | Unknown {
  if (operator === '/' && b.value === 0) return { unknown: 'division by 0', at };
  if (operator === '/' && a.dimension !== null && b.dimension === a.dimension)
    return toUnitless((a.value * a.scale) / (b.value * b.scale));
  const value = operator === '*' ? a.value * b.value : a.value / b.value;
  if (b.dimension === null && !(a.isBare && !b.isBare)) return { ...a, value };
  if (a.dimension === null && operator === '*') return { ...b, value };
  return toUnitless(value);
}

function evaluateCall(
  { name, argument, at }: Extract<Expression, { kind: 'call' }>,
  context: EvaluationContext,
  compared: Expression | undefined,
): Quantity | Unknown {
  switch (name) {
    case 'baseline':
      return evaluateInBaseline(argument, context, at);
    case 'abs': {
      const value = evaluateNumber(argument, context, compared);
      return isUnknown(value) ? value : { ...value, value: Math.abs(value.value) };
    }
    case 'count':
      return toUnitless(selectSeries(context.run, argument as Selector, context.text).length);
    case 'increase':
      return requireSingleSeries(readIncreases(argument as Selector, context), argument as Selector);
    default:
      return aggregate(name, argument, context);
  }
}

/** Adds the statistic that a function without one means: `max(x)` is the largest value over time and all series. */
function withStat(name: FunctionName, selector: Selector, context: EvaluationContext): Selector {
  if (selector.stat !== null || name === 'sum') return selector;
  const series = selectSeries(context.run, selector, context.text);
  const hasStat = series.length > 0 && series.every(each => readNamedStat(each, name) !== undefined);
  return hasStat ? { ...selector, stat: name } : selector;
}

/** Combines the values of several series with `sum`, `avg`, `min` or `max`. */
function aggregate(name: FunctionName, argument: Expression, context: EvaluationContext): Quantity | Unknown {
  const found =
    argument.kind === 'call'
      ? readIncreases(argument.argument as Selector, context)
      : readSeriesValues(withStat(name, argument as Selector, context), context);
  if (isUnknown(found)) return found;
  const values = found.map(({ quantity }) => quantity.value);
  const { quantity } = found[0]!;
  if (name === 'sum') return { ...quantity, value: sum(values) };
  if (name === 'avg') return { ...quantity, value: mean(values) };
  const pick = name === 'min' ? Math.min : Math.max;
  return { ...quantity, value: values.reduce((selected, value) => pick(selected, value)) };
}
