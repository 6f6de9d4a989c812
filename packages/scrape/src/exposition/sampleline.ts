import { type Body, decode } from './body.ts';
import { unescapeValue } from './names.ts';
import { readNumber } from './number.ts';

/** A sample line, read. `name` is as written. */
export interface SampleLine {
  readonly name: string;
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
  readonly timestamp?: number;
  readonly valueStart: number;
}

const NO_LABELS: readonly (readonly [string, string])[] = [];
const NEWLINE = 10;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/** By character code: 1 starts a name, 2 goes on with one; a colon only in metric names (4). */
const NAME = new Uint8Array(256);
for (let code = 0; code < 256; code++) {
  const character = String.fromCharCode(code);
  if (/[a-zA-Z_]/.test(character)) NAME[code] = 7;
  else if (/[0-9]/.test(character)) NAME[code] = 2;
  else if (character === ':') NAME[code] = 12;
}
const STARTS_LABEL = 1;
const IN_LABEL = 2;
const METRIC_ONLY = 8;

/**
 * Reads a sample line of the usual form, as every client library prints it: `name{label="value",...} value [timestamp]`
 * with single blanks. Undefined for anything else, right or wrong: the format's own careful reader then decides.
 */
export function readUsualLine(body: Body, start: number, end: number): SampleLine | undefined {
  const { text } = body;
  let at = start;
  let code = text.charCodeAt(at);
  if (!(NAME[code]! & (STARTS_LABEL | METRIC_ONLY))) return undefined;
  do code = text.charCodeAt(++at);
  while (at < end && NAME[code]! !== 0);
  const name = text.slice(start, at);
  let labels = NO_LABELS;
  if (code === OPEN) {
    const read: [string, string][] = [];
    at = readUsualLabels(body, at + 1, end, read);
    if (at === -1) return undefined;
    labels = read;
    code = text.charCodeAt(at);
  }
  if (code !== SPACE || at >= end) return undefined;
  const valueStart = at + 1;
  let valueEnd = text.indexOf(' ', valueStart);
  if (valueEnd === -1 || valueEnd > end) valueEnd = end;
  if (valueEnd === valueStart) return undefined;
  const value = readNumber(text, valueStart, valueEnd);
  if (value === undefined) return undefined;
  if (valueEnd === end) return { name, labels, value, valueStart };
  const timestamp = readMilliseconds(text, valueEnd + 1, end);
  return timestamp === undefined ? undefined : { name, labels, value, timestamp, valueStart };
}

/** Reads `label="value",...}`; returns the index behind the brace, or -1 when the labels are not of the usual form. */
function readUsualLabels(body: Body, from: number, end: number, labels: [string, string][]): number {
  const { text } = body;
  let at = from;
  if (text.charCodeAt(at) === CLOSE) return at + 1;
  for (;;) {
    const nameStart = at;
    let code = text.charCodeAt(at);
    if (!(NAME[code]! & STARTS_LABEL)) return -1;
    do code = text.charCodeAt(++at);
    while (NAME[code]! & IN_LABEL);
    if (code !== EQUALS || text.charCodeAt(at + 1) !== QUOTE) return -1;
    const label = text.slice(nameStart, at);
    const valueStart = at + 2;
    let escaped = false;
    for (at = valueStart; ; at++) {
      code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        escaped = true;
        at++;
      }
      if (at >= end || code === NEWLINE) return -1;
    }
    const raw = text.slice(valueStart, at);
    if (hasLabel(labels, label) || label === '__name__') return -1;
    labels.push([label, decode(body, escaped ? unescapeValue(raw) : raw)]);
    code = text.charCodeAt(++at);
    if (code === CLOSE) return at + 1;
    if (code !== COMMA) return -1;
    if (text.charCodeAt(++at) === CLOSE) return at + 1;
    if (labels.length > 64) return -1;
  }
}

function hasLabel(labels: readonly (readonly [string, string])[], name: string): boolean {
  for (let i = 0; i < labels.length; i++) if (labels[i]![0] === name) return true;
  return false;
}

/** A timestamp in whole milliseconds, in seconds; undefined for any other form. */
function readMilliseconds(text: string, start: number, end: number): number | undefined {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if ((code < 48 || code > 57) && !(code === 45 && at === start)) return undefined;
  }
  const value = end - start > 0 ? readNumber(text, start, end) : undefined;
  return value === undefined ? undefined : value / 1000;
}
