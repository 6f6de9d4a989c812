import { LineError } from './badLines.ts';
import type { Sample } from './exposition.ts';
import { findOutsideQuotes, readTerms } from './labels.ts';
import { isMetricName } from './names.ts';
import { parseNumber } from './number.ts';
import { isBlank, strip, stripStart } from './whitespace.ts';

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Parses a sample line in any form that the classic format allows. `text` must not start or end with blanks;
 * `lineEnd` is the offset of the end of the line in the body. Throws `LineError` for an invalid line.
 */
export function readClassicLine(text: string, lineEnd: number): Sample {
  const brace = findOutsideQuotes(text, '{');
  if (brace === -1 || text.slice(0, brace).includes(' # ')) {
    const end = findOutsideQuotes(text, ' \t');
    const name = end === -1 ? '' : strip(text.slice(0, end));
    if (!isMetricName(name)) throw new LineError('expected a metric name, a space and a value');
    return { name, labels: [], ...readValue(text.slice(end + 1)), valueStart: -1, lineEnd };
  }
  const name = strip(text.slice(0, brace));
  if (name !== '' && !isMetricName(name)) throw new LineError(`not a metric name: ${name}`);
  const close = findOutsideQuotes(text, '}', brace);
  if (close === -1) throw new LineError('the closing } of the labels is missing');
  const nameAndLabels = readTerms(name, text.slice(brace + 1, close), false);
  return { ...nameAndLabels, ...readValue(text.slice(close + 1)), valueStart: -1, lineEnd };
}

/**
 * Parses the text after the labels: a value and optionally a timestamp in milliseconds. If more words follow
 * the value, the last one is the timestamp, as in prometheus_client. Lines with an exemplar, which the
 * classic format does not define, are therefore accepted.
 */
function readValue(text: string): { value: number; timestamp?: number } {
  const trimmed = strip(text);
  const separator = trimmed.includes(' ') ? ' ' : '\t';
  const firstSeparator = trimmed.indexOf(separator);
  const valueWord = firstSeparator === -1 ? trimmed : strip(trimmed.slice(0, firstSeparator));
  const value = parseNumber(valueWord);
  if (value === undefined) throw new LineError(`expected a number, got ${valueWord || 'nothing'}`);
  if (firstSeparator === -1) return { value };
  const lastWord = strip(trimmed.slice(trimmed.lastIndexOf(separator) + 1));
  const timestamp = parseNumber(lastWord);
  if (timestamp === undefined) throw new LineError(`expected a timestamp in milliseconds, got ${lastWord}`);
  return { value, timestamp: timestamp / 1000 };
}

/**
 * Splits a comment into `#`, the keyword, the metric name (possibly quoted) and the remaining text. Any
 * number of blanks may separate them.
 */
export function splitComment(text: string): (string | undefined)[] {
  const words: (string | undefined)[] = [];
  let remaining = text;
  while (words.length < 3 && remaining !== '') {
    const end = findBlank(remaining, words.length === 2);
    words.push(remaining.slice(0, end));
    remaining = stripStart(remaining.slice(end));
  }
  if (remaining !== '') words.push(remaining);
  return words;
}

function findBlank(text: string, allowsQuotes: boolean): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (allowsQuotes && code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted && code === BACKSLASH) at++;
    else if (!isQuoted && isBlank(code)) return at;
  }
  return text.length;
}
