import { LineError } from './badLines.ts';

/**
 * Validates native histograms in text form. They are not part of OpenMetrics 1.0, but prometheus_client
 * writes and parses them as in a draft of OpenMetrics 2.0. Their values are not used, because no export has
 * columns for native buckets.
 */

const FIELD = /(\w+):(?:(-?[0-9.][0-9.eE+-]*|[+-]?Inf|NaN)|\[([^\]]*)\])([,}])/y;
const INTEGER = /^-?\d+$/;
/**
 * Pattern of a list item and its separator. Items are matched one at a time, because a pattern for the whole
 * list overflows the stack if the list is long.
 */
const SPAN = /-?\d+:\d+(,|$)/y;
const DELTA = /-?\d+(,|$)/y;

const REQUIRED_FIELDS = ['count', 'sum', 'schema', 'zero_threshold', 'zero_count'];
const INTEGER_FIELDS = new Set(['count', 'schema', 'zero_count']);
const LIST_ITEM_PATTERNS: ReadonlyMap<string, RegExp> = new Map([
  ['positive_spans', SPAN],
  ['negative_spans', SPAN],
  ['positive_deltas', DELTA],
  ['negative_deltas', DELTA],
]);

/**
 * Throws `LineError` if `text` does not have the form
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
  for (const name of REQUIRED_FIELDS)
    if (!names.has(name)) throw new LineError(`a native histogram needs ${name}`);
}

function checkField(name: string, number: string | undefined, list: string | undefined): void {
  const itemPattern = LIST_ITEM_PATTERNS.get(name);
  if (list !== undefined) {
    if (!itemPattern || !isList(itemPattern, list))
      throw new LineError(`not a field of a native histogram: ${name}:[${list}]`);
    return;
  }
  const isNumber = INTEGER_FIELDS.has(name)
    ? INTEGER.test(number!)
    : !Number.isNaN(Number(number)) || number === 'NaN';
  if (itemPattern || !isNumber) throw new LineError(`not a field of a native histogram: ${name}:${number}`);
}

function isList(itemPattern: RegExp, list: string): boolean {
  itemPattern.lastIndex = 0;
  if (list === '') return true;
  for (let match = itemPattern.exec(list); match; match = itemPattern.exec(list)) {
    if (match[1] === '') return true;
  }
  return false;
}
