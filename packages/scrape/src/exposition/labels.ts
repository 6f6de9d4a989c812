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
 * Returns the index of the first character of `text`, from `from` on, that is one of the one or two
 * characters in `wanted` and not inside double quotes; -1 without one. Within quotes, a backslash escapes the
 * next character.
 */
export function findOutsideQuotes(text: string, wanted: string, from = 0): number {
  const first = wanted.charCodeAt(0);
  const second = wanted.charCodeAt(wanted.length - 1);
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (code === first || code === second) return at;
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
 * Reads the terms between braces: `label="value"` and, in UTF-8 notation, one bare `"metric name"`. Blanks
 * around terms are allowed, as in prometheus_client. Throws `LineError`.
 */
export function readTerms(name: string, inside: string, openMetrics: boolean): NamedLabels {
  let metric = name;
  const labels = readLabels(inside, openMetrics, bare => {
    if (metric !== '') throw new LineError('the metric name occurs twice');
    if (bare === '') throw new LineError('the metric name is empty');
    metric = bare;
  });
  if (metric === '') throw new LineError('the metric name is missing');
  return { name: metric, labels };
}

/** Reads the terms between braces. Calls `named` with a quoted name that has no value. */
export function readLabels(
  inside: string,
  openMetrics: boolean,
  named: (bare: string) => void,
): readonly (readonly [string, string])[] {
  const labels = new Map<string, string>();
  let rest = strip(inside);
  if (openMetrics && rest.startsWith(',')) throw new LineError('leading comma in the labels');
  while (rest !== '') {
    const end = findOutsideQuotes(rest, ',');
    const term = strip(end === -1 ? rest : rest.slice(0, end));
    rest = end === -1 ? '' : stripStart(rest.slice(end + 1));
    if (term === '') {
      // The classic format allows one leading or trailing comma, but not two in a row.
      if (labels.size > 0 || rest.startsWith(',') || openMetrics) throw new LineError('two commas in a row');
      continue;
    }
    if (openMetrics && end !== -1 && rest === '') throw new LineError('trailing comma in the labels');
    const equals = findOutsideQuotes(term, '=');
    if (equals === -1) named(parseBareName(term));
    else {
      const label = parseLabelName(strip(term.slice(0, equals)), openMetrics);
      addLabel(labels, label, strip(term.slice(equals + 1)));
    }
  }
  return [...labels];
}

function parseBareName(term: string): string {
  const bare = unquote(term);
  if (bare === undefined) throw new LineError(`expected label="value", got ${term}`);
  return bare;
}

/** Parses a label name. Like prometheus_client, the classic format accepts colons in unquoted names. */
function parseLabelName(term: string, openMetrics: boolean): string {
  const quoted = unquote(term);
  const name = quoted ?? term;
  if (quoted === undefined && !(openMetrics ? isLabelName(name) : isMetricName(name)))
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
