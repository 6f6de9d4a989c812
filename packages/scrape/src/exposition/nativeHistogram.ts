import { LineError } from './badLines.ts';

/**
 * Native histograms in text form: not part of OpenMetrics 1.0, but printed and parsed by prometheus_client as
 * a draft of OpenMetrics 2.0. They are only validated, because no export has columns for their buckets.
 */

const FIELD = /(\w+):(?:(-?[0-9.][0-9.eE+-]*|[+-]?Inf|NaN)|\[([^\]]*)\])([,}])/y;
const INTEGER = /^-?\d+$/;
/**
 * An item of a list and its separator. Items are matched one at a time: a pattern for a whole long list
 * overflows the stack.
 */
const SPAN = /-?\d+:\d+(,|$)/y;
const DELTA = /-?\d+(,|$)/y;

const REQUIRED = ['count', 'sum', 'schema', 'zero_threshold', 'zero_count'];
const INTEGERS = new Set(['count', 'schema', 'zero_count']);
const LISTS: ReadonlyMap<string, RegExp> = new Map([
  ['positive_spans', SPAN],
  ['negative_spans', SPAN],
  ['positive_deltas', DELTA],
  ['negative_deltas', DELTA],
]);

/**
 * Throws `LineError` if `text` is not of the form
 * `{count:24,sum:100,schema:0,zero_threshold:0.001,zero_count:4,positive_spans:[0:2],...}`.
 */
export function checkNativeHistogram(text: string): void {
  const names = new Set<string>();
  FIELD.lastIndex = 1;
  for (let field = FIELD.exec(text); ; field = FIELD.exec(text)) {
    if (!field) throw new LineError('expected a native histogram, {count:...,sum:...,schema:...}');
    const [, name, number, list, separator] = field;
    checkField(name!, number, list);
    if (names.has(name!)) throw new LineError(`${name} occurs twice in a native histogram`);
    names.add(name!);
    if (separator === '}') break;
  }
  if (FIELD.lastIndex !== text.length) throw new LineError('unexpected text after a native histogram');
  for (const name of REQUIRED) if (!names.has(name)) throw new LineError(`a native histogram needs ${name}`);
}

function checkField(name: string, number: string | undefined, list: string | undefined): void {
  const itemPattern = LISTS.get(name);
  if (list !== undefined) {
    if (!itemPattern || !isList(itemPattern, list))
      throw new LineError(`not a field of a native histogram: ${name}:[${list}]`);
    return;
  }
  const isNumber = INTEGERS.has(name)
    ? INTEGER.test(number!)
    : !Number.isNaN(Number(number)) || number === 'NaN';
  if (itemPattern || !isNumber) throw new LineError(`not a field of a native histogram: ${name}:${number}`);
}

function isList(item: RegExp, list: string): boolean {
  item.lastIndex = 0;
  if (list === '') return true;
  for (let found = item.exec(list); found; found = item.exec(list)) {
    if (found[1] === '') return true;
  }
  return false;
}
