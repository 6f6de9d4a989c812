import { Buffer } from 'node:buffer';

const NEWLINE = 10;
const QUOTE = 34;
const BACKSLASH = 92;
const LOWER_N = 110;

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Flags of `NAME_BYTES`: where a byte may occur in an unquoted name. */
export const STARTS_LABEL = 1;
export const IN_LABEL = 2;
export const STARTS_METRIC = 4;
export const IN_METRIC = 8;

/** The flags above, by byte. */
export const NAME_BYTES: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-zA-Z_]/.test(character)) return STARTS_LABEL | IN_LABEL | STARTS_METRIC | IN_METRIC;
  if (/[0-9]/.test(character)) return IN_LABEL | IN_METRIC;
  return character === ':' ? STARTS_METRIC | IN_METRIC : 0;
});

/**
 * Reports whether a metric name needs no quotes: https://prometheus.io/docs/concepts/data_model/, "Metric
 * names and labels".
 */
export function isMetricName(name: string): boolean {
  return METRIC_NAME.test(name);
}

export function isLabelName(name: string): boolean {
  return LABEL_NAME.test(name);
}

/** Returns the end of the metric name at `start`, or `start` itself if no name begins there. */
export function findMetricNameEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (at >= end || !(NAME_BYTES[bytes[at]!]! & STARTS_METRIC)) return start;
  do at++;
  while (at < end && NAME_BYTES[bytes[at]!]! & IN_METRIC);
  return at;
}

/**
 * Unescapes a label value or an OpenMetrics HELP text: `\\`, `\"` and `\n`. Any other backslash is literal.
 */
export function unescapeValue(text: string): string {
  return unescapeText(text, true);
}

/** Unescapes a HELP text of the classic format: `\\` and `\n` only. */
export function unescapeHelp(text: string): string {
  return unescapeText(text, false);
}

function unescapeText(text: string, quotes: boolean): string {
  let from = text.indexOf('\\');
  if (from === -1) return text;
  const units = Buffer.allocUnsafe(text.length * 2);
  let length = units.write(text.slice(0, from), 'utf16le');
  for (; from < text.length; from++) {
    let code = text.charCodeAt(from);
    if (code === BACKSLASH) {
      const next = text.charCodeAt(from + 1);
      if (next === BACKSLASH || next === LOWER_N || (quotes && next === QUOTE)) {
        code = next === LOWER_N ? NEWLINE : next;
        from++;
      }
    }
    length = units.writeUInt16LE(code, length);
  }
  return units.toString('utf16le', 0, length);
}
