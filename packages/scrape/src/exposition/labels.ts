import { LineError } from './badLines.ts';
import { isLabelName, isMetricName, unescapeValue } from './names.ts';
import { strip, stripStart } from './whitespace.ts';

const QUOTE = 34;
const BACKSLASH = 92;

/** The name and labels of a sample line. */
export interface NamedLabels {
  readonly name: string;
  readonly labels: readonly (readonly [string, string])[];
}

/**
 * Returns the index of the first character at or after `from` that is in `wanted` (one or two characters) and
 * outside double quotes; -1 if there is none. Within quotes, a backslash escapes the next character.
 */
export function findOutsideQuotes(text: string, wanted: string, from = 0): number {
  const firstCode = wanted.charCodeAt(0);
  const secondCode = wanted.charCodeAt(wanted.length - 1);
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE) isQuoted = true;
    else if (code === firstCode || code === secondCode) return at;
  }
  return -1;
}

/** Returns the unescaped text inside double quotes; undefined if `text` is not exactly one quoted string. */
export function unquote(text: string): string | undefined {
  if (text.length < 2 || text[0] !== '"') return undefined;
  let at = 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at === text.length - 1 ? unescapeValue(text.slice(1, -1)) : undefined;
}

/**
 * Parses the terms between braces: `label="value"` and, if the metric name is not before the braces, one bare
 * `"metric name"`. Blanks around terms are allowed, as in prometheus_client. Throws `LineError` for an
 * invalid term.
 */
export function readTerms(name: string, inside: string, isOpenMetrics: boolean): NamedLabels {
  let metricName = name;
  const labels = readLabels(inside, isOpenMetrics, bare => {
    if (metricName !== '') throw new LineError('the metric name occurs twice');
    if (bare === '') throw new LineError('the metric name is empty');
    metricName = bare;
  });
  if (metricName === '') throw new LineError('the metric name is missing');
  return { name: metricName, labels };
}

/**
 * Parses `inside`, the terms between braces, and returns the labels. Calls `onBareName` for each quoted name
 * that has no value. Throws `LineError` for an invalid term.
 */
export function readLabels(
  inside: string,
  isOpenMetrics: boolean,
  onBareName: (bare: string) => void,
): readonly (readonly [string, string])[] {
  const labels = new Map<string, string>();
  let remaining = strip(inside);
  if (isOpenMetrics && remaining.startsWith(',')) throw new LineError('leading comma in the labels');
  while (remaining !== '') {
    const end = findOutsideQuotes(remaining, ',');
    const term = strip(end === -1 ? remaining : remaining.slice(0, end));
    remaining = end === -1 ? '' : stripStart(remaining.slice(end + 1));
    if (term === '') {
      // The classic format allows one leading or trailing comma, but not two in a row.
      if (labels.size > 0 || remaining.startsWith(',') || isOpenMetrics)
        throw new LineError('two commas in a row');
      continue;
    }
    if (isOpenMetrics && end !== -1 && remaining === '') throw new LineError('trailing comma in the labels');
    const equalsIndex = findOutsideQuotes(term, '=');
    if (equalsIndex === -1) onBareName(parseBareName(term));
    else {
      const label = parseLabelName(strip(term.slice(0, equalsIndex)), isOpenMetrics);
      addLabel(labels, label, strip(term.slice(equalsIndex + 1)));
    }
  }
  return [...labels];
}

function parseBareName(term: string): string {
  const bare = unquote(term);
  if (bare === undefined) throw new LineError(`expected label="value", got ${term}`);
  return bare;
}

/**
 * Parses a label name. Colons in unquoted names are accepted in the classic format, as in prometheus_client.
 */
function parseLabelName(term: string, isOpenMetrics: boolean): string {
  const quoted = unquote(term);
  const name = quoted ?? term;
  if (quoted === undefined && !(isOpenMetrics ? isLabelName(name) : isMetricName(name)))
    throw new LineError(`not a label name: ${term}`);
  if (name === '') throw new LineError('a label name is empty');
  if (name === '__name__') throw new LineError('the metric name occurs twice');
  return name;
}

function addLabel(labels: Map<string, string>, label: string, valueTerm: string): void {
  const value = unquote(valueTerm);
  if (value === undefined)
    throw new LineError(`label ${label} needs a value in double quotes, got ${valueTerm}`);
  if (labels.has(label)) throw new LineError(`label ${label} occurs twice`);
  labels.set(label, value);
}
