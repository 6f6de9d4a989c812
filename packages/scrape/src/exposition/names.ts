import { Buffer } from 'node:buffer';

const NEWLINE = 10;
const QUOTE = 34;
const BACKSLASH = 92;
const LOWER_N = 110;

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Flags of `NAME_BYTES`: the positions in an unquoted name where a byte may occur. */
export const STARTS_LABEL = 1;
export const IN_LABEL = 2;
const STARTS_METRIC = 4;
const IN_METRIC = 8;

/** The flags of each byte: `STARTS_LABEL`, `IN_LABEL`, `STARTS_METRIC` and `IN_METRIC`. */
export const NAME_BYTES: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-zA-Z_]/.test(character)) return STARTS_LABEL | IN_LABEL | STARTS_METRIC | IN_METRIC;
  if (/[0-9]/.test(character)) return IN_LABEL | IN_METRIC;
  return character === ':' ? STARTS_METRIC | IN_METRIC : 0;
});

/**
 * Reports whether a metric name is valid without quotes (https://prometheus.io/docs/concepts/data_model/,
 * "Metric names and labels").
 */
export function isMetricName(name: string): boolean {
  return METRIC_NAME.test(name);
}

/** Reports whether a label name is valid without quotes. */
export function isLabelName(name: string): boolean {
  return LABEL_NAME.test(name);
}

/** Returns the end of the metric name that starts at `start`, or `start` if there is no valid name. */
export function findMetricNameEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (at >= end || !(NAME_BYTES[bytes[at]!]! & STARTS_METRIC)) return start;
  do at++;
  while (at < end && NAME_BYTES[bytes[at]!]! & IN_METRIC);
  return at;
}

/**
 * Unescapes `\\`, `\"` and `\n` in a label value or an OpenMetrics HELP text. Other backslashes are literal.
 */
export function unescapeValue(text: string): string {
  return unescapeText(text, true);
}

/** Unescapes `\\` and `\n` in a HELP text of the classic format. Other backslashes are literal. */
export function unescapeHelp(text: string): string {
  return unescapeText(text, false);
}

function unescapeText(text: string, unescapesQuotes: boolean): string {
  let from = text.indexOf('\\');
  if (from === -1) return text;
  const utf16 = Buffer.allocUnsafe(text.length * 2);
  let length = utf16.write(text.slice(0, from), 'utf16le');
  for (; from < text.length; from++) {
    let code = text.charCodeAt(from);
    if (code === BACKSLASH) {
      const next = text.charCodeAt(from + 1);
      if (next === BACKSLASH || next === LOWER_N || (unescapesQuotes && next === QUOTE)) {
        code = next === LOWER_N ? NEWLINE : next;
        from++;
      }
    }
    length = utf16.writeUInt16LE(code, length);
  }
  return utf16.toString('utf16le', 0, length);
}
