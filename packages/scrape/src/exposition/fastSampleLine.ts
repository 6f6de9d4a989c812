import { type Body, sliceAscii, sliceText } from './body.ts';
import type { Sample } from './exposition.ts';
import { findMetricNameEnd, IN_LABEL, NAME_BYTES, STARTS_LABEL, unescapeValue } from './names.ts';
import { readNumber } from './number.ts';

type Labels = Sample['labels'];
type Label = Labels[number];

const NO_LABELS: Labels = [];
const MAX_LABELS = 64;
// Character codes are repeated in each file: V8 reloads imported constants at every use, which doubled the
// time for a cold body.
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/**
 * Reads sample lines in the common form that client libraries print: `name{label="value",...} value` with
 * single blanks. All other lines, valid or not, are left to the general reader of each format.
 *
 * Consecutive lines are mostly equal. The parts that equal the previous line are neither parsed nor allocated
 * again: the name, each label and the whole label list are shared between samples.
 */
export class FastSampleLine {
  /** The name in the last line. It references the whole body; see `ownName`. */
  name = '';
  labels: Labels = NO_LABELS;
  value = 0;
  /** The range of the value in the body, in bytes. The line may continue after it. */
  valueStart = 0;
  valueEnd = 0;
  readonly #body: Body;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #trailingComma: boolean;
  /** Start of the last line in the body. All other offsets are relative to it. */
  #start = 0;
  /** Length of the last line up to its value; 0 if there is no line to compare with. */
  #headLength = 0;
  /** The offsets of its labels. */
  readonly #labelStarts: number[] = [];
  readonly #labelEnds: number[] = [];
  #labelEnd = 0;

  /** `trailingComma`: whether the format allows `{a="b",}`. */
  constructor(body: Body, trailingComma: boolean) {
    const { bytes } = body;
    this.#body = body;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#trailingComma = trailingComma;
  }

  /** The name in the last line, as a string that does not reference the body. */
  get ownName(): string {
    return sliceAscii(this.#body, this.#start, this.#start + this.name.length);
  }

  /**
   * Reads a line up to its value. `end` is its newline or the end of the body. Returns false if the line is
   * not in the common form.
   */
  read(start: number, end: number): boolean {
    const valueStart = this.#readSimilarHead(start, end) || this.#readHead(start, end);
    if (valueStart === 0) return false;
    const bytes = this.#bytes;
    let at = valueStart;
    while (at < end && bytes[at] !== SPACE) at++;
    const value = at === valueStart ? undefined : readNumber(bytes, valueStart, at);
    if (value === undefined) return false;
    this.value = value;
    this.valueStart = valueStart;
    this.valueEnd = at;
    return true;
  }

  /**
   * Reads the head of a line that differs from the previous one at most in one label value, as in the buckets
   * of a histogram. Returns the start of the value; 0, without changing anything, if the lines differ more.
   */
  #readSimilarHead(start: number, end: number): number {
    const head = this.#headLength;
    const before = this.#start;
    if (head === 0 || start + head >= end) return 0;
    const same = this.#countSameBytes(before, start, head);
    if (same === head) {
      this.#start = start;
      return start + head;
    }
    const index = this.#findLabelAt(same);
    if (index === -1) return 0;
    const valueStart = this.#labelStarts[index]! + this.labels[index]![0].length + 2;
    if (same < valueStart) return 0;
    const value = this.#readLabelValue(start + valueStart, end);
    if (value === undefined) return 0;
    const rest = head - this.#labelEnds[index]!;
    if (this.#labelEnd + rest >= end || !this.#isSame(before + head - rest, this.#labelEnd, rest)) return 0;
    this.#replaceLabel(index, value, this.#labelEnd - start);
    this.#start = start;
    this.#headLength = this.#labelEnd + rest - start;
    return start + this.#headLength;
  }

  /** Returns the label of the previous line that reaches beyond an offset; -1 if none does. */
  #findLabelAt(at: number): number {
    for (let index = 0; index < this.labels.length; index++) if (this.#labelEnds[index]! > at) return index;
    return -1;
  }

  #replaceLabel(index: number, value: string, labelEnd: number): void {
    const labels = this.labels.slice();
    labels[index] = [labels[index]![0], value];
    this.labels = labels;
    const longer = labelEnd - this.#labelEnds[index]!;
    if (longer === 0) return;
    this.#labelEnds[index]! += longer;
    for (let next = index + 1; next < labels.length; next++) {
      this.#labelStarts[next]! += longer;
      this.#labelEnds[next]! += longer;
    }
  }

  /** Reads name, labels and a blank. Returns the start of the value; 0 if they are not in the common form. */
  #readHead(start: number, end: number): number {
    const bytes = this.#bytes;
    const before = this.#headLength === 0 ? NO_LABELS : this.labels;
    const beforeStart = this.#start;
    this.#headLength = 0;
    this.#start = start;
    this.labels = NO_LABELS;
    let at = this.#readName(start, end);
    if (at === start) return 0;
    if (bytes[at] === OPEN) at = this.#readLabels(at + 1, end, before, beforeStart);
    if (at === -1 || at + 1 >= end || bytes[at] !== SPACE) return 0;
    this.#headLength = at + 1 - start;
    return at + 1;
  }

  /** Returns the end of the name, or `start` if the line has no valid name. */
  #readName(start: number, end: number): number {
    const at = findMetricNameEnd(this.#bytes, start, end);
    const { length } = this.name;
    if (length !== at - start || !this.#body.text.startsWith(this.name, start))
      this.name = this.#body.text.slice(start, at);
    return at;
  }

  /**
   * Reads `label="value",...}`, sharing the labels at the same position of the previous line. Returns the
   * index after the brace; -1 if the labels are not in the common form.
   */
  #readLabels(from: number, end: number, before: Labels, beforeStart: number): number {
    const bytes = this.#bytes;
    const start = this.#start;
    const labels: Label[] = [];
    let areLabelsSame = true; // all labels so far equal the labels of the previous line
    let areNamesSame = true; // all label names so far equal the names of the previous line, so none is a duplicate
    let at = from;
    for (;;) {
      const count = labels.length;
      if (bytes[at] === CLOSE) {
        if (count > 0 && !this.#trailingComma) return -1;
        break;
      }
      if (count === MAX_LABELS) return -1;
      const known = before[count];
      const label =
        known && this.#isSameLabel(count, at, end, beforeStart)
          ? known
          : this.#readLabel(at, end, known?.[0]);
      if (label === undefined) return -1;
      areLabelsSame &&= label === known;
      areNamesSame &&= label[0] === known?.[0];
      if (!areNamesSame && hasLabel(labels, label[0])) return -1;
      labels.push(label);
      this.#labelStarts[count] = at - start;
      at = this.#labelEnd;
      this.#labelEnds[count] = at - start;
      if (bytes[at] !== COMMA) {
        if (bytes[at] !== CLOSE) return -1;
        break;
      }
      at++;
      while (bytes[at] === SPACE) at++;
    }
    this.labels = areLabelsSame && labels.length === before.length ? before : labels;
    return at + 1;
  }

  /**
   * Reports whether the label at `at` equals, byte for byte, the one at the same position of the previous
   * line. Sets `#labelEnd`.
   */
  #isSameLabel(index: number, at: number, end: number, beforeStart: number): boolean {
    const before = beforeStart + this.#labelStarts[index]!;
    const length = beforeStart + this.#labelEnds[index]! - before;
    this.#labelEnd = at + length;
    return at + length < end && this.#isSame(before, at, length);
  }

  /** Returns the length of the common prefix at two offsets, up to `max` bytes. */
  #countSameBytes(before: number, at: number, max: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const end = at + max;
    let a = before;
    let b = at;
    for (; b + 8 <= end; a += 8, b += 8) {
      if (view.getInt32(a, true) !== view.getInt32(b, true)) break;
      if (view.getInt32(a + 4, true) !== view.getInt32(b + 4, true)) break;
    }
    while (b < end && bytes[a] === bytes[b]) {
      a++;
      b++;
    }
    return b - at;
  }

  #isSame(before: number, at: number, length: number): boolean {
    return this.#countSameBytes(before, at, length) === length;
  }

  /** Reads `label="value"` and sets `#labelEnd`. `expected` is tried as the name, to share the string. */
  #readLabel(start: number, end: number, expected: string | undefined): Label | undefined {
    const bytes = this.#bytes;
    let at = start;
    if (!(NAME_BYTES[bytes[at]!]! & STARTS_LABEL)) return undefined;
    do at++;
    while (NAME_BYTES[bytes[at]!]! & IN_LABEL);
    if (bytes[at] !== EQUALS || bytes[at + 1] !== QUOTE) return undefined;
    const known = expected?.length === at - start && this.#body.text.startsWith(expected, start);
    const name = known ? expected : sliceAscii(this.#body, start, at);
    if (name === '__name__') return undefined;
    const value = this.#readLabelValue(at + 2, end);
    return value === undefined ? undefined : [name, value];
  }

  /**
   * Reads a quoted value from after the opening quote, and sets `#labelEnd` to the offset after the closing
   * one.
   */
  #readLabelValue(start: number, end: number): string | undefined {
    const bytes = this.#bytes;
    let hasEscapes = false;
    let bits = 0;
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      bits |= byte;
      if (byte === BACKSLASH) {
        hasEscapes = true;
        bits |= bytes[++at]!;
      }
    }
    if (at >= end) return undefined;
    this.#labelEnd = at + 1;
    const value = bits < 128 ? sliceAscii(this.#body, start, at) : sliceText(this.#body, start, at);
    return hasEscapes ? unescapeValue(value) : value;
  }
}

function hasLabel(labels: readonly Label[], name: string): boolean {
  for (const label of labels) if (label[0] === name) return true;
  return false;
}
