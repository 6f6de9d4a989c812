import { LineError } from './badLines.ts';
import type { Exemplar, Sample } from './exposition.ts';
import { findOutsideQuotes, type NamedLabels, readLabels, readTerms } from './labels.ts';
import { isMetricName } from './names.ts';
import { checkNativeHistogram } from './nativeHistogram.ts';
import { parseNumber } from './number.ts';
import { type ExactTimestamp, parseTimestamp } from './timestamp.ts';

const MAX_EXEMPLAR_CHARACTERS = 128;

/** The timestamp and exemplar that may follow a value. */
export interface LineTail {
  readonly timestamp?: ExactTimestamp;
  readonly exemplar?: Exemplar;
}

/** A parsed OpenMetrics sample line. */
export interface OpenMetricsLine extends NamedLabels, LineTail {
  /** NaN for a native histogram. */
  readonly value: number;
  /** Index of the value in the line; -1 for a native histogram. */
  readonly valueIndex: number;
  /** Set if the value is a native histogram, which is only validated. */
  readonly native?: true;
}

/**
 * Parses a sample line in any form that OpenMetrics 1.0 ("ABNF") allows. As in prometheus_client, names may
 * be quoted, and a value in braces is a native histogram. Throws `LineError` for an invalid line.
 */
export function readOpenMetricsLine(text: string): OpenMetricsLine {
  const { end, ...nameAndLabels } = readNameAndLabels(text);
  if (text[end] !== ' ') throw new LineError('expected one space and a value after the name and labels');
  const start = end + 1;
  if (text[start] === '{') {
    checkNativeHistogram(text.slice(start));
    return { ...nameAndLabels, value: Number.NaN, valueIndex: -1, native: true };
  }
  const valueEnd = findWordEnd(text, start);
  const value = readValue(text.slice(start, valueEnd));
  return {
    ...nameAndLabels,
    value,
    valueIndex: start,
    ...(valueEnd < text.length && readTail(text.slice(valueEnd + 1))),
  };
}

/** Parses the text after a value and one blank: `timestamp`, `# {labels} value [timestamp]`, or both. */
export function readTail(text: string): LineTail {
  if (text.startsWith('#')) return { exemplar: readExemplar(text) };
  const end = findWordEnd(text, 0);
  const timestamp = readTimestamp(text.slice(0, end));
  return end === text.length ? { timestamp } : { timestamp, exemplar: readExemplar(text.slice(end + 1)) };
}

function readNameAndLabels(text: string): NamedLabels & { end: number } {
  const nameEnd = findOutsideQuotes(text, '{ ');
  const name = text.slice(0, nameEnd === -1 ? text.length : nameEnd);
  if (text[nameEnd] !== '{' || name !== '') {
    if (!isMetricName(name)) throw new LineError(`not a metric name: ${name}`);
  }
  if (text[nameEnd] !== '{') return { name, labels: [], end: name.length };
  const closingBrace = findOutsideQuotes(text, '}', nameEnd + 1);
  if (closingBrace === -1) throw new LineError('the closing } of the labels is missing');
  return { ...readTerms(name, text.slice(nameEnd + 1, closingBrace), true), end: closingBrace + 1 };
}

function readExemplar(text: string): Exemplar {
  if (!text.startsWith('# {')) throw new LineError('expected an exemplar, # {labels} value');
  const closingBrace = findOutsideQuotes(text, '}', 3);
  if (closingBrace === -1 || text[closingBrace + 1] !== ' ')
    throw new LineError('expected an exemplar, # {labels} value');
  const labels = readExemplarLabels(text.slice(3, closingBrace));
  const valueEnd = findWordEnd(text, closingBrace + 2);
  const value = readValue(text.slice(closingBrace + 2, valueEnd));
  if (valueEnd === text.length) return { labels, value };
  return { labels, value, timestamp: readTimestamp(text.slice(valueEnd + 1)).time };
}

/**
 * Parses the labels of an exemplar. Their names and values are limited to 128 characters in total
 * (OpenMetrics 1.0, "Exemplars").
 */
function readExemplarLabels(inside: string): Sample['labels'] {
  const labels = readLabels(inside, true, bare => {
    throw new LineError(`unexpected metric name in an exemplar: ${bare}`);
  });
  let length = 0;
  for (const [name, value] of labels) length += countCharacters(name) + countCharacters(value);
  if (length > MAX_EXEMPLAR_CHARACTERS) {
    throw new LineError(
      `the labels of an exemplar exceed ${MAX_EXEMPLAR_CHARACTERS} characters, got ${length}`,
    );
  }
  return labels;
}

/** Returns the number of Unicode characters. A character above U+FFFF has two UTF-16 code units. */
function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count--;
  return count;
}

function readValue(word: string): number {
  const value = parseNumber(word);
  if (value === undefined) throw new LineError(`expected a number, got ${word || 'nothing'}`);
  return value;
}

function readTimestamp(word: string): ExactTimestamp {
  const timestamp = parseTimestamp(word);
  if (timestamp === undefined)
    throw new LineError(`expected a timestamp in seconds, got ${word || 'nothing'}`);
  return timestamp;
}

function findWordEnd(text: string, start: number): number {
  const end = text.indexOf(' ', start);
  return end === -1 ? text.length : end;
}
