import { type Body, decode } from './body.ts';
import type { Sample } from './exposition.ts';
import { endOfMetricName, IN_LABEL, NAME_BYTES, STARTS_LABEL, unescapeValue } from './names.ts';
import { readNumber } from './number.ts';

type Labels = Sample['labels'];
type Label = Labels[number];

const NO_LABELS: Labels = [];
const MOST_LABELS = 64;
const NEWLINE = 10;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/**
 * Reads sample lines of the usual form, as client libraries print them: `name{label="value",...} value`, with single blanks.
 * Everything else, right or wrong, is left to the format's own careful reader.
 *
 * Neighbouring lines say mostly the same, so what is the same as in the line before is neither read nor made anew: the
 * name, each label, and the whole list of labels are shared between samples.
 */
export class UsualLine {
  /** Of the line last read: its name as written. */
  name = '';
  labels: Labels = NO_LABELS;
  value = 0;
  /** Where the value begins and ends in the body, in bytes. The line may go on behind it. */
  valueStart = 0;
  valueEnd = 0;
  readonly #body: Body;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #trailingComma: boolean;
  #nameStart = 0;
  /** Where the labels of the line last read begin and end in the body. */
  readonly #labelStarts = new Int32Array(MOST_LABELS);
  readonly #labelEnds = new Int32Array(MOST_LABELS);
  #labelEnd = 0;

  /** `trailingComma` tells whether the format allows `{a="b",}`. */
  constructor(body: Body, trailingComma: boolean) {
    const { bytes } = body;
    this.#body = body;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#trailingComma = trailingComma;
  }

  /** Reads the line up to its value; false when it is not of the usual form. `end` is its newline or the body's end. */
  read(start: number, end: number): boolean {
    const bytes = this.#bytes;
    let at = this.#readName(start, end);
    if (at === start) return false;
    if (bytes[at] === OPEN) {
      at = this.#readLabels(at + 1, end);
      if (at === -1) {
        this.labels = NO_LABELS;
        return false;
      }
    } else this.labels = NO_LABELS;
    if (at >= end || bytes[at] !== SPACE) return false;
    const valueStart = ++at;
    while (at < end && bytes[at] !== SPACE) at++;
    if (at === valueStart) return false;
    const value = readNumber(bytes, valueStart, at);
    if (value === undefined) return false;
    this.value = value;
    this.valueStart = valueStart;
    this.valueEnd = at;
    return true;
  }

  /** Returns the end of the name, or `start` when there is none. */
  #readName(start: number, end: number): number {
    const before = this.#nameStart;
    const { length } = this.name;
    this.#nameStart = start;
    if (length > 0 && start + length < end && this.#isSame(before, start, length)) {
      const at = start + length;
      if (this.#bytes[at] === OPEN || this.#bytes[at] === SPACE) return at;
    }
    const at = endOfMetricName(this.#bytes, start, end);
    this.name = this.#body.text.slice(start, at);
    return at;
  }

  /** Reads `label="value",...}`; returns the index behind the brace, or -1 when the labels are not of the usual form. */
  #readLabels(from: number, end: number): number {
    const bytes = this.#bytes;
    const before = this.labels;
    let fresh: Label[] | undefined; // made when this line's labels turn out to be others than those of the line before
    let familiar = true; // while every label has the name that the line before had in its place
    let at = from;
    let count = 0;
    for (;;) {
      if (bytes[at] === CLOSE) {
        if (count > 0 && !this.#trailingComma) return -1;
        break;
      }
      if (count === MOST_LABELS) return -1;
      const known = before[count];
      const label = known && this.#isSameLabel(count, at, end) ? known : this.#readLabel(at, end, known?.[0]);
      if (label === undefined) return -1;
      if (label !== known) fresh ??= before.slice();
      if (fresh) {
        familiar &&= label[0] === known?.[0];
        if (!familiar && hasLabel(fresh, count, label[0])) return -1;
        fresh[count] = label;
      }
      this.#labelStarts[count] = at;
      at = this.#labelEnd;
      this.#labelEnds[count++] = at;
      if (bytes[at] !== COMMA) {
        if (bytes[at] !== CLOSE) return -1;
        break;
      }
      at++;
      while (bytes[at] === SPACE) at++;
    }
    if (fresh && fresh.length !== count) fresh.length = count;
    this.labels = fresh ?? (count === before.length ? before : before.slice(0, count));
    return at + 1;
  }

  /** Whether the label at `at` is, byte by byte, the one that the line before has in its place. Sets `#labelEnd`. */
  #isSameLabel(index: number, at: number, end: number): boolean {
    const before = this.#labelStarts[index]!;
    const length = this.#labelEnds[index]! - before;
    this.#labelEnd = at + length;
    return at + length < end && this.#isSame(before, at, length);
  }

  /** Compares `length` bytes at two places, eight at a time while there are as many. */
  #isSame(before: number, at: number, length: number): boolean {
    const bytes = this.#bytes;
    const view = this.#view;
    const end = at + length;
    let a = before;
    let b = at;
    for (; b + 8 <= end; a += 8, b += 8) {
      if (view.getInt32(a, true) !== view.getInt32(b, true)) return false;
      if (view.getInt32(a + 4, true) !== view.getInt32(b + 4, true)) return false;
    }
    for (; b < end; a++, b++) if (bytes[a] !== bytes[b]) return false;
    return true;
  }

  /** Reads `label="value"` and sets `#labelEnd`. `expected` is tried as its name, to share the string. */
  #readLabel(start: number, end: number, expected: string | undefined): Label | undefined {
    const bytes = this.#bytes;
    const { text } = this.#body;
    let at = start;
    if (!(NAME_BYTES[bytes[at]!]! & STARTS_LABEL)) return undefined;
    do at++;
    while (NAME_BYTES[bytes[at]!]! & IN_LABEL);
    if (bytes[at] !== EQUALS || bytes[at + 1] !== QUOTE) return undefined;
    const known = expected?.length === at - start && text.startsWith(expected, start);
    const name = known ? expected : text.slice(start, at);
    if (name === '__name__') return undefined;
    const valueStart = at + 2;
    let escaped = false;
    let ascii = true;
    for (at = valueStart; ; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      if (at >= end || byte === NEWLINE) return undefined;
      if (byte >= 128) ascii = false;
      if (byte === BACKSLASH) {
        escaped = true;
        at++;
      }
    }
    if (at >= end) return undefined;
    this.#labelEnd = at + 1;
    const written = text.slice(valueStart, at);
    const value = ascii ? written : decode(this.#body, written);
    return [name, escaped ? unescapeValue(value) : value];
  }
}

function hasLabel(labels: readonly Label[], count: number, name: string): boolean {
  for (let i = 0; i < count; i++) if (labels[i]![0] === name) return true;
  return false;
}
