import { mean, sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import type { Comparator, Expression, FunctionName, Selector } from './expression.ts';
import { hasBaseline } from './parseExpression.ts';
import { convertTo, parseLiteral, type Quantity, toCount, toQuantity } from './quantity.ts';
import { describeMissingMetric, formatSeries, isFact, listStats, RUN_FACTS, selectSeries } from './select.ts';

/** Why something cannot be told, and at which character of the rule. */
export interface Unknown {
  readonly unknown: string;
  readonly at: number;
}

/** What a rule was found to be. `told` are the comparisons that decided, with their figures. */
export interface Verdict {
  readonly holds: boolean | Unknown;
  readonly told: readonly string[];
}

/** A number, or why there is none. */
type Amount = Quantity | Unknown;

interface Context {
  readonly run: Run;
  readonly baseline: Run | undefined;
  readonly text: string;
  readonly told: string[];
}

/**
 * What a rule says of a run. What is absent is never 0: a comparison with it cannot be told, nor what depends on it.
 *
 * @throws RuleError for what is wrong with the rule itself, such as a regular expression.
 */
export function evaluate(rule: Expression, text: string, run: Run, baseline?: Run): Verdict {
  const context: Context = { run, baseline, text, told: [] };
  return { holds: truth(rule, context), told: context.told };
}

function isUnknown(value: object | boolean): value is Unknown {
  return typeof value === 'object' && 'unknown' in value;
}

/** Kleene's logic: false and anything is false, true or anything is true, else what is unknown stays so. */
function truth(expression: Expression, context: Context): boolean | Unknown {
  switch (expression.kind) {
    case 'logic': {
      const left = truth(expression.left, context);
      const right = truth(expression.right, context);
      const decides = expression.operator === 'or';
      if (left === decides || right === decides) return decides;
      return isUnknown(left) ? left : right;
    }
    case 'not': {
      const operand = truth(expression.operand, context);
      return isUnknown(operand) ? operand : !operand;
    }
    case 'comparison':
      return comparison(expression, context);
    case 'call':
      return presence(expression, context);
    default:
      return { unknown: 'is a number; expected a comparison such as x.avg < 5', at: expression.at };
  }
}

function comparison(
  { operator, left, right, at }: Extract<Expression, { kind: 'comparison' }>,
  context: Context,
): boolean | Unknown {
  const other = hasBaseline(right) ? left : right;
  const compared = hasBaseline(left) || hasBaseline(right) ? other : undefined;
  const a = number(left, context, compared);
  const b = number(right, context, compared);
  if (isUnknown(a)) return a;
  if (isUnknown(b)) return b;
  const [first, second] = a.isBare && !b.isBare ? [convertTo(b, a), b.value] : [a.value, convertTo(a, b)];
  if (typeof first === 'string') return { unknown: first, at };
  if (typeof second === 'string') return { unknown: second, at };
  const unit = (a.isBare ? b : a).unit;
  context.told.push(`${shown(first)} ${operator} ${shown(second)}${unit === null ? '' : ` ${unit}`}`);
  return compares(first, operator, second);
}

function compares(a: number, operator: Comparator, b: number): boolean {
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

/** Digits that tell figures apart and no more: 0.1 + 0.2 is 0.3. */
function shown(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function presence(
  { name, argument }: Extract<Expression, { kind: 'call' }>,
  { run, text, told }: Context,
): boolean {
  const selector = argument as Selector;
  const series = selectSeries(run, selector, text);
  const there = series.filter(one => selector.stat === null || readStat(one, selector.stat) !== undefined);
  told.push(there.length === 0 ? `${selector.name} is absent` : `${there.length} series of ${selector.name}`);
  return there.length > 0 === (name === 'present');
}

/** `compared` is what the bare word `baseline` stands for. */
function number(expression: Expression, context: Context, compared: Expression | undefined): Amount {
  switch (expression.kind) {
    case 'number':
      return parseLiteral(expression.value, expression.unit);
    case 'selector':
      return single(seriesNumbers(expression, context), expression);
    case 'baseline':
      return compared === undefined
        ? { unknown: 'baseline stands for the other side of a comparison', at: expression.at }
        : inBaseline(compared, context, expression.at);
    case 'negative': {
      const operand = number(expression.operand, context, compared);
      return isUnknown(operand) ? operand : { ...operand, value: -operand.value };
    }
    case 'binary':
      return arithmetic(expression, context, compared);
    case 'call':
      return called(expression, context, compared);
    default:
      return { unknown: 'is no number', at: expression.at };
  }
}

function inBaseline(expression: Expression, context: Context, at: number): Amount {
  if (!context.baseline) return { unknown: 'there is no baseline; name one with --baseline', at };
  const value = number(expression, { ...context, run: context.baseline }, undefined);
  return isUnknown(value) ? { ...value, unknown: `in the baseline: ${value.unknown}` } : value;
}

function arithmetic(
  { operator, left, right, at }: Extract<Expression, { kind: 'binary' }>,
  context: Context,
  compared: Expression | undefined,
): Amount {
  const a = number(left, context, compared);
  const b = number(right, context, compared);
  if (isUnknown(a)) return a;
  if (isUnknown(b)) return b;
  const kept = a.isBare ? b : a;
  if (operator === '+' || operator === '-') {
    const [first, second] = a.isBare ? [convertTo(b, a), b.value] : [a.value, convertTo(a, b)];
    if (typeof first === 'string') return { unknown: first, at };
    if (typeof second === 'string') return { unknown: second, at };
    return { ...kept, value: operator === '+' ? first + second : first - second };
  }
  return scaled(a, operator, b, at);
}

/** Times a number it stays what it was; a time by a time is a number. */
function scaled(a: Quantity, operator: '*' | '/', b: Quantity, at: number): Amount {
  if (operator === '/' && b.value === 0) return { unknown: 'divides by 0', at };
  if (operator === '/' && a.dimension !== null && b.dimension === a.dimension)
    return toCount((a.value * a.scale) / (b.value * b.scale));
  const value = operator === '*' ? a.value * b.value : a.value / b.value;
  if (b.dimension === null && !(a.isBare && !b.isBare)) return { ...a, value };
  if (a.dimension === null && operator === '*') return { ...b, value };
  return toCount(value);
}

/** The numbers of all series that a selector names, or why there are none. */
function seriesNumbers(selector: Selector, context: Context): readonly Placed[] | Unknown {
  const { run, text } = context;
  if (isFact(run, selector)) return fact(selector, run);
  const series = selectSeries(run, selector, text);
  const [first] = series;
  if (!first) return { unknown: noneText(run, selector), at: selector.at };
  if (selector.stat === null) {
    const stats = listStats(first).join(', ');
    return { unknown: `${selector.name} has several statistics; name one of ${stats}`, at: selector.at };
  }
  const found = series.flatMap(one => placed(one, readStat(one, selector.stat!)));
  return found.length === series.length ? found : lacking(series, selector);
}

interface Placed {
  readonly series?: RunSeries;
  readonly quantity: Quantity;
}

function placed(series: RunSeries, value: number | undefined): Placed[] {
  return value === undefined ? [] : [{ series, quantity: toQuantity(value, series.unit) }];
}

function fact({ name, stat, at }: Selector, run: Run): readonly Placed[] | Unknown {
  const facts = RUN_FACTS[name]!;
  if (stat === null || !Object.hasOwn(facts, stat))
    return { unknown: `${name} has ${Object.keys(facts).join(', ')}`, at };
  const quantity = facts[stat]!(run);
  return quantity ? [{ quantity }] : { unknown: `the files of the run do not tell ${name}.${stat}`, at };
}

function noneText(run: Run, { name, matchers }: Selector): string {
  const family = run.families.get(name);
  if (!family) return describeMissingMetric(run, name);
  const labels = matchers.length > 0 ? ' with these labels' : '';
  const there = family.series.slice(0, 3).map(formatSeries).join('; ');
  return `no series of ${name}${labels}${there === '' ? '' : `; there is ${there}`}`;
}

function lacking(series: readonly RunSeries[], { stat, at }: Selector): Unknown {
  const one = series.find(candidate => readStat(candidate, stat!) === undefined)!;
  const has = listStats(one).join(', ');
  const empty =
    one.type === 'histogram' && one.stats.count === 0 ? 'it observed nothing in the run' : `it has ${has}`;
  return {
    unknown: `${formatSeries(one)} has no ${stat}; ${has === '' ? 'it has no statistics' : empty}`,
    at,
  };
}

/** Several series are no number: which one is meant is for the rule to say. */
function single(found: readonly Placed[] | Unknown, { name, at }: Selector): Amount {
  if (isUnknown(found)) return found;
  if (found.length === 1) return found[0]!.quantity;
  const shown = found.slice(0, 3).map(({ series }) => formatSeries(series!));
  const more = found.length > shown.length ? `; and ${found.length - shown.length} more` : '';
  const hint = 'choose by labels, or say sum(), avg(), min() or max()';
  return { unknown: `${found.length} series of ${name}: ${shown.join('; ')}${more}; ${hint}`, at };
}

function called(
  { name, argument, at }: Extract<Expression, { kind: 'call' }>,
  context: Context,
  compared: Expression | undefined,
): Amount {
  switch (name) {
    case 'baseline':
      return inBaseline(argument, context, at);
    case 'abs': {
      const value = number(argument, context, compared);
      return isUnknown(value) ? value : { ...value, value: Math.abs(value.value) };
    }
    case 'count':
      return toCount(selectSeries(context.run, argument as Selector, context.text).length);
    case 'increase':
      return single(increases(argument as Selector, context), argument as Selector);
    default:
      return aggregated(name, argument, context);
  }
}

/** What counters counted in the run, resets corrected; of histograms how many observations there were. */
function increases(selector: Selector, { run, text }: Context): readonly Placed[] | Unknown {
  const series = selectSeries(run, selector, text);
  if (series.length === 0) return { unknown: noneText(run, selector), at: selector.at };
  const found = series.flatMap(one => {
    const value =
      one.increase?.count ?? readStat(one, 'increase') ?? readStat(one, 'total') ?? readStat(one, 'count');
    const unit = one.type === 'histogram' ? null : one.unit;
    return value === undefined ? [] : [{ series: one, quantity: toQuantity(value, unit) }];
  });
  if (found.length === series.length) return found;
  return {
    unknown: `${selector.name} is a ${series[0]!.type}; increase() takes counters and histograms`,
    at: selector.at,
  };
}

function aggregated(name: FunctionName, argument: Expression, context: Context): Amount {
  const found =
    argument.kind === 'call'
      ? increases(argument.argument as Selector, context)
      : seriesNumbers(argument as Selector, context);
  if (isUnknown(found)) return found;
  const values = found.map(({ quantity }) => quantity.value);
  const { quantity } = found[0]!;
  if (name === 'sum') return { ...quantity, value: sum(values) };
  if (name === 'avg') return { ...quantity, value: mean(values) };
  const pick = name === 'min' ? Math.min : Math.max;
  return { ...quantity, value: values.reduce((kept, value) => pick(kept, value)) };
}
