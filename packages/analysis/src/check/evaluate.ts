import { mean, sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import type { Comparator, Expression, FunctionName, Selector } from './expression.ts';
import { hasBaseline } from './parseExpression.ts';
import { convertTo, parseLiteral, type Quantity, toCount, toQuantity } from './quantity.ts';
import { describeMissingMetric, formatSeries, isFact, listStats, RUN_FACTS, selectSeries } from './select.ts';

/** Why an expression has no value, and the offset that the reason refers to. */
export interface Unknown {
  readonly unknown: string;
  readonly at: number;
}

/** The value of a rule, and the comparisons that decided it. */
export interface Verdict {
  readonly holds: boolean | Unknown;
  readonly comparisons: readonly string[];
}

/** A number, or the reason why it is unknown. */
type NumberOrUnknown = Quantity | Unknown;

interface Context {
  readonly run: Run;
  readonly baseline: Run | undefined;
  readonly text: string;
  readonly comparisons: string[];
}

/**
 * Evaluates a rule. A missing value is never 0: whatever depends on it is unknown.
 *
 * @throws ExpressionError for an error in the rule itself, such as an invalid regular expression
 */
export function evaluate(rule: Expression, text: string, run: Run, baseline?: Run): Verdict {
  const context: Context = { run, baseline, text, comparisons: [] };
  return { holds: evaluateCondition(rule, context), comparisons: context.comparisons };
}

function isUnknown(value: object | boolean): value is Unknown {
  return typeof value === 'object' && 'unknown' in value;
}

/**
 * Evaluates a condition by Kleene's logic: `false and x` is false, `true or x` is true, and otherwise unknown
 * stays unknown.
 */
function evaluateCondition(expression: Expression, context: Context): boolean | Unknown {
  switch (expression.kind) {
    case 'logic': {
      const left = evaluateCondition(expression.left, context);
      const right = evaluateCondition(expression.right, context);
      const decides = expression.operator === 'or';
      if (left === decides || right === decides) return decides;
      return isUnknown(left) ? left : right;
    }
    case 'not': {
      const operand = evaluateCondition(expression.operand, context);
      return isUnknown(operand) ? operand : !operand;
    }
    case 'comparison':
      return compareSides(expression, context);
    case 'call':
      return evaluatePresence(expression, context);
    default:
      return { unknown: 'a number; expected a comparison such as x.avg < 5', at: expression.at };
  }
}

function compareSides(
  { operator, left, right, at }: Extract<Expression, { kind: 'comparison' }>,
  context: Context,
): boolean | Unknown {
  const other = hasBaseline(right) ? left : right;
  const compared = hasBaseline(left) || hasBaseline(right) ? other : undefined;
  const a = evaluateNumber(left, context, compared);
  const b = evaluateNumber(right, context, compared);
  if (isUnknown(a)) return a;
  if (isUnknown(b)) return b;
  const [first, second] = a.isBare && !b.isBare ? [convertTo(b, a), b.value] : [a.value, convertTo(a, b)];
  if (typeof first === 'string') return { unknown: first, at };
  if (typeof second === 'string') return { unknown: second, at };
  const unit = (a.isBare ? b : a).unit;
  context.comparisons.push(
    `${formatNumber(first)} ${operator} ${formatNumber(second)}${unit === null ? '' : ` ${unit}`}`,
  );
  return isTrue(first, operator, second);
}

function isTrue(a: number, operator: Comparator, b: number): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '==':
      return a === b;
    default:
      return a !== b;
  }
}

/** Formats a number with six significant digits, so that 0.1 + 0.2 is printed as 0.3. */
function formatNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function evaluatePresence(
  { name, argument }: Extract<Expression, { kind: 'call' }>,
  { run, text, comparisons }: Context,
): boolean {
  const selector = argument as Selector;
  const series = selectSeries(run, selector, text);
  const there = series.filter(
    candidate => selector.stat === null || readStat(candidate, selector.stat) !== undefined,
  );
  comparisons.push(
    there.length === 0 ? `${selector.name} is absent` : `${there.length} series of ${selector.name}`,
  );
  return there.length > 0 === (name === 'present');
}

/** Evaluates an expression to a number. `compared` is what the bare word `baseline` refers to. */
function evaluateNumber(
  expression: Expression,
  context: Context,
  compared: Expression | undefined,
): NumberOrUnknown {
  switch (expression.kind) {
    case 'number':
      return parseLiteral(expression.value, expression.unit);
    case 'selector':
      return requireOne(readSeriesValues(expression, context), expression);
    case 'baseline':
      return compared === undefined
        ? { unknown: 'baseline refers to the other side of a comparison', at: expression.at }
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
      return { unknown: 'not a number', at: expression.at };
  }
}

function evaluateInBaseline(expression: Expression, context: Context, at: number): NumberOrUnknown {
  if (!context.baseline) return { unknown: 'no baseline; name one with --baseline', at };
  const value = evaluateNumber(expression, { ...context, run: context.baseline }, undefined);
  return isUnknown(value) ? { ...value, unknown: `in the baseline: ${value.unknown}` } : value;
}

function evaluateArithmetic(
  { operator, left, right, at }: Extract<Expression, { kind: 'binary' }>,
  context: Context,
  compared: Expression | undefined,
): NumberOrUnknown {
  const a = evaluateNumber(left, context, compared);
  const b = evaluateNumber(right, context, compared);
  if (isUnknown(a)) return a;
  if (isUnknown(b)) return b;
  const kept = a.isBare ? b : a;
  if (operator === '+' || operator === '-') {
    const [first, second] = a.isBare ? [convertTo(b, a), b.value] : [a.value, convertTo(a, b)];
    if (typeof first === 'string') return { unknown: first, at };
    if (typeof second === 'string') return { unknown: second, at };
    return { ...kept, value: operator === '+' ? first + second : first - second };
  }
  return scale(a, operator, b, at);
}

/** Multiplies or divides. A quantity times a number keeps its unit; a ratio of equal dimensions is a plain number. */
function scale(a: Quantity, operator: '*' | '/', b: Quantity, at: number): NumberOrUnknown {
  if (operator === '/' && b.value === 0) return { unknown: 'division by 0', at };
  if (operator === '/' && a.dimension !== null && b.dimension === a.dimension)
    return toCount((a.value * a.scale) / (b.value * b.scale));
  const value = operator === '*' ? a.value * b.value : a.value / b.value;
  if (b.dimension === null && !(a.isBare && !b.isBare)) return { ...a, value };
  if (a.dimension === null && operator === '*') return { ...b, value };
  return toCount(value);
}

/** Returns the values of all series that a selector matches, or the reason why it matches none. */
function readSeriesValues(selector: Selector, context: Context): readonly SeriesValue[] | Unknown {
  const { run, text } = context;
  if (isFact(run, selector)) return readFact(selector, run);
  const series = selectSeries(run, selector, text);
  const [first] = series;
  if (!first) return { unknown: describeNoSeries(run, selector), at: selector.at };
  if (selector.stat === null) {
    const stats = listStats(first).join(', ');
    return { unknown: `${selector.name} has several statistics; choose one of ${stats}`, at: selector.at };
  }
  const found = series.flatMap(candidate => toSeriesValue(candidate, readStat(candidate, selector.stat!)));
  return found.length === series.length ? found : describeMissingStat(series, selector);
}

interface SeriesValue {
  readonly series?: RunSeries;
  readonly quantity: Quantity;
}

function toSeriesValue(series: RunSeries, value: number | undefined): SeriesValue[] {
  return value === undefined ? [] : [{ series, quantity: toQuantity(value, series.unit) }];
}

function readFact({ name, stat, at }: Selector, run: Run): readonly SeriesValue[] | Unknown {
  const facts = RUN_FACTS[name]!;
  if (stat === null || !Object.hasOwn(facts, stat))
    return { unknown: `${name} has no such value; expected one of ${Object.keys(facts).join(', ')}`, at };
  const quantity = facts[stat]!(run);
  return quantity ? [{ quantity }] : { unknown: `${name}.${stat} is not in the files of the run`, at };
}

function describeNoSeries(run: Run, { name, matchers }: Selector): string {
  const family = run.families.get(name);
  if (!family) return describeMissingMetric(run, name);
  const labels = matchers.length > 0 ? ' with these labels' : '';
  const there = family.series.slice(0, 3).map(formatSeries).join('; ');
  return `no series of ${name}${labels}${there === '' ? '' : `; existing series: ${there}`}`;
}

function describeMissingStat(series: readonly RunSeries[], { stat, at }: Selector): Unknown {
  const candidate = series.find(item => readStat(item, stat!) === undefined)!;
  const has = listStats(candidate).join(', ');
  const empty =
    candidate.type === 'histogram' && candidate.stats.count === 0
      ? 'it has no observations in the run'
      : `it has ${has}`;
  return {
    unknown: `${formatSeries(candidate)} has no ${stat}; ${has === '' ? 'it has no statistics' : empty}`,
    at,
  };
}

/** Requires exactly one series: with several, the rule has to select one or aggregate them. */
function requireOne(found: readonly SeriesValue[] | Unknown, { name, at }: Selector): NumberOrUnknown {
  if (isUnknown(found)) return found;
  if (found.length === 1) return found[0]!.quantity;
  const examples = found.slice(0, 3).map(({ series }) => formatSeries(series!));
  const more = found.length > examples.length ? `; and ${found.length - examples.length} more` : '';
  const hint = 'select one by its labels, or aggregate with sum(), avg(), min() or max()';
  return { unknown: `${found.length} series of ${name}: ${examples.join('; ')}${more}; ${hint}`, at };
}

function evaluateCall(
  { name, argument, at }: Extract<Expression, { kind: 'call' }>,
  context: Context,
  compared: Expression | undefined,
): NumberOrUnknown {
  switch (name) {
    case 'baseline':
      return evaluateInBaseline(argument, context, at);
    case 'abs': {
      const value = evaluateNumber(argument, context, compared);
      return isUnknown(value) ? value : { ...value, value: Math.abs(value.value) };
    }
    case 'count':
      return toCount(selectSeries(context.run, argument as Selector, context.text).length);
    case 'increase':
      return requireOne(readIncreases(argument as Selector, context), argument as Selector);
    default:
      return aggregate(name, argument, context);
  }
}

/** Returns the increase of counters, corrected for resets, and of histograms the number of observations. */
function readIncreases(selector: Selector, { run, text }: Context): readonly SeriesValue[] | Unknown {
  const series = selectSeries(run, selector, text);
  if (series.length === 0) return { unknown: describeNoSeries(run, selector), at: selector.at };
  const found = series.flatMap(candidate => {
    const value =
      candidate.increase?.count ??
      readStat(candidate, 'increase') ??
      readStat(candidate, 'total') ??
      readStat(candidate, 'count');
    const unit = candidate.type === 'histogram' ? null : candidate.unit;
    return value === undefined ? [] : [{ series: candidate, quantity: toQuantity(value, unit) }];
  });
  if (found.length === series.length) return found;
  return {
    unknown: `${selector.name} is a ${series[0]!.type}; increase() takes counters and histograms`,
    at: selector.at,
  };
}

function aggregate(name: FunctionName, argument: Expression, context: Context): NumberOrUnknown {
  const found =
    argument.kind === 'call'
      ? readIncreases(argument.argument as Selector, context)
      : readSeriesValues(argument as Selector, context);
  if (isUnknown(found)) return found;
  const values = found.map(({ quantity }) => quantity.value);
  const { quantity } = found[0]!;
  if (name === 'sum') return { ...quantity, value: sum(values) };
  if (name === 'avg') return { ...quantity, value: mean(values) };
  const pick = name === 'min' ? Math.min : Math.max;
  return { ...quantity, value: values.reduce((kept, value) => pick(kept, value)) };
}
