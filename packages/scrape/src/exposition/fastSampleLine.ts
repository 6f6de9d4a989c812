import { type Body, sliceAscii, sliceText } from './body.ts';
import type { Sample } from './exposition.ts';
import { findMetricNameEnd, IN_LABEL, NAME_BYTES, STARTS_LABEL, unescapeValue } from './names.ts';
import { readNumber } from './number.ts';

type Labels = Sample['labels'];
type Label = Labels[number];

const NO_LABELS: Labels = [];
const MAX_LABELS = 64;
// Character codes are defined in each file: V8 reloads imported constants at every use, which doubled the time
// to parse a whole body.
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/**
 * Reads sample lines in the form that client libraries usually write: `name{label="value",...} value` with
 * single spaces. All other lines, valid or not, are left to the general parser of each format.
 *
 * Consecutive lines are usually similar. Parts that are the same as in the previous line are neither parsed
 * nor allocated again: samples share the name, individual labels and whole label lists.
 */
export class FastSampleLine {
  /** The metric name of the line read last. The string may keep the body in memory; `ownName` does not. */
  name = '';
  labels: Labels = NO_LABELS;
  value = 0;
  /** Byte offset of the value in the body. */
  valueStart = 0;
  /** Byte offset of the end of the value. The line may continue after it. */
  valueEnd = 0;
  readonly #body: Body;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #allowsTrailingComma: boolean;
  /** Byte offset in the body of the line read last. */
  #start = 0;
  /** Length of the line read last up to its value, in bytes; 0 if there is no line to compare with. */
  #headLength = 0;
  /** Offsets of the labels of the line read last, relative to its start. */
  readonly #labelStarts: number[] = [];
  readonly #labelEnds: number[] = [];
  /** Byte offset in the body of the end of the label read last. */
  #labelEnd = 0;

  /** @param allowsTrailingComma whether the format allows `{a="b",}` */
  constructor(body: Body, allowsTrailingComma: boolean) {
    const { bytes } = body;
    this.#body = body;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#allowsTrailingComma = allowsTrailingComma;
  }

  /** The metric name of the line read last, as a string that does not keep the body in memory. */
  get ownName(): string {
    return sliceAscii(this.#body, this.#start, this.#start + this.name.length);
  }

  /**
   * Reads a line up to the end of its value. `end` is the offset of the newline or of the end of the body.
   * Returns false if the line does not have the common form.
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
   * Reads the head of a line that differs from the previous line in at most one label value, like the buckets
   * of a histogram. Returns the offset of the value. If the lines differ more, returns 0 and keeps the
   * previous line for comparison.
   */
  #readSimilarHead(start: number, end: number): number {
    const head = this.#headLength;
    const previousStart = this.#start;
    if (head === 0 || start + head >= end) return 0;
    const sameLength = this.#countSameBytes(previousStart, start, head);
    if (sameLength === head) {
      this.#start = start;
      return start + head;
    }
    const index = this.#findLabelAt(sameLength);
    if (index === -1) return 0;
    const valueStart = this.#labelStarts[index]! + this.labels[index]![0].length + 2;
    if (sameLength < valueStart) return 0;
    const value = this.#readLabelValue(start + valueStart, end);
    if (value === undefined) return 0;
    const tailLength = head - this.#labelEnds[index]!;
    if (
      this.#labelEnd + tailLength >= end ||
      !this.#isSame(previousStart + head - tailLength, this.#labelEnd, tailLength)
    )
      return 0;
    this.#replaceLabel(index, value, this.#labelEnd - start);
    this.#start = start;
    this.#headLength = this.#labelEnd + tailLength - start;
    return start + this.#headLength;
  }

  /**
   * Returns the index of the first label of the previous line that ends after `at`, an offset relative to the
   * start of the line; -1 if there is none.
   */
  #findLabelAt(at: number): number {
    for (let index = 0; index < this.labels.length; index++) if (this.#labelEnds[index]! > at) return index;
    return -1;
  }

  #replaceLabel(index: number, value: string, labelEnd: number): void {
    const labels = this.labels.slice();
    labels[index] = [labels[index]![0], value];
    this.labels = labels;
    const lengthChange = labelEnd - this.#labelEnds[index]!;
    if (lengthChange === 0) return;
    this.#labelEnds[index]! += lengthChange;
    for (let next = index + 1; next < labels.length; next++) {
      this.#labelStarts[next]! += lengthChange;
      this.#labelEnds[next]! += lengthChange;
    }
  }

  /**
   * Reads the name, the labels and a space. Returns the offset of the value, or 0 if the line does not have
   * the common form.
   */
  #readHead(start: number, end: number): number {
    const bytes = this.#bytes;
    const previousLabels = this.#headLength === 0 ? NO_LABELS : this.labels;
    const previousStart = this.#start;
    this.#headLength = 0;
    this.#start = start;
    this.labels = NO_LABELS;
    let at = this.#readName(start, end);
    if (at === start) return 0;
    if (bytes[at] === OPEN) at = this.#readLabels(at + 1, end, previousLabels, previousStart);
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
   * Reads `label="value",...}`, reusing equal labels at the same position of the previous line. Returns the
   * offset after the brace, or -1 if the labels do not have the common form.
   */
  #readLabels(from: number, end: number, previousLabels: Labels, previousStart: number): number {
    const bytes = this.#bytes;
    const start = this.#start;
    const labels: Label[] = [];
    let areLabelsSame = true; // all labels so far equal the labels of the previous line
    let areNamesSame = true; // all label names so far equal those of the previous line, so they are unique
    let at = from;
    for (;;) {
      const count = labels.length;
      if (bytes[at] === CLOSE) {
        if (count > 0 && !this.#allowsTrailingComma) return -1;
        break;
      }
      if (count === MAX_LABELS) return -1;
      const previousLabel = previousLabels[count];
      const label =
        previousLabel && this.#isSameLabel(count, at, end, previousStart)
          ? previousLabel
          : this.#readLabel(at, end, previousLabel?.[0]);
      if (label === undefined) return -1;
      areLabelsSame &&= label === previousLabel;
      areNamesSame &&= label[0] === previousLabel?.[0];
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
    this.labels = areLabelsSame && labels.length === previousLabels.length ? previousLabels : labels;
    return at + 1;
  }

  /**
   * Reports whether the label at offset `at` is byte-for-byte equal to label `index` of the previous line.
   * Sets `#labelEnd`.
   */
  #isSameLabel(index: number, at: number, end: number, previousStart: number): boolean {
    const before = previousStart + this.#labelStarts[index]!;
    const length = previousStart + this.#labelEnds[index]! - before;
    this.#labelEnd = at + length;
    return at + length < end && this.#isSame(before, at, length);
  }

  /** Returns the length of the longest common prefix at the offsets `before` and `at`, up to `max` bytes. */
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

  /** Reads `label="value"` and sets `#labelEnd`. If the name equals `expected`, that string is reused. */
  #readLabel(start: number, end: number, expected: string | undefined): Label | undefined {
    const bytes = this.#bytes;
    let at = start;
    if (!(NAME_BYTES[bytes[at]!]! & STARTS_LABEL)) return undefined;
    do at++;
    while (NAME_BYTES[bytes[at]!]! & IN_LABEL);
    if (bytes[at] !== EQUALS || bytes[at + 1] !== QUOTE) return undefined;
    const isExpected = expected?.length === at - start && this.#body.text.startsWith(expected, start);
    const name = isExpected ? expected : sliceAscii(this.#body, start, at);
    if (name === '__name__') return undefined;
    const value = this.#readLabelValue(at + 2, end);
    return value === undefined ? undefined : [name, value];
  }

  /**
   * Reads a quoted value. `start` is the offset after the opening quote. Sets `#labelEnd` to the offset after
   * the closing quote.
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
