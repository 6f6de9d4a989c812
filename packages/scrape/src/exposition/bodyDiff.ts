import type { Sample } from './exposition.ts';
import type { LineRules } from './lineRules.ts';
import { readNumber } from './number.ts';

const NEWLINE = 10;
const SPACE = 32;

/**
 * Updates the values of an endpoint from the differences between the previous and the next body.
 *
 * Between two scrapes, usually only values change. The bodies are compared 16 bytes at a time. If they differ
 * within a value, only that value is parsed, and the comparison continues after it. Nothing is allocated. If
 * the bodies differ anywhere else (a new series, another HELP text, a missing line), or if a line violates
 * the rules, the whole body must be parsed again.
 */
export class BodyDiff {
  /** Number of lines in the arrays below. */
  #lineCount = 0;
  #slots: Int32Array;
  #valueStarts: Int32Array;
  #lineEnds: Int32Array;
  /** Index of each line's sample. */
  #samples: Int32Array;
  readonly #rules: LineRules;

  /**
   * `samples` and `slots` are those of the last body that was parsed as a whole; `rules` decide which values
   * and timestamps are accepted without parsing the whole line.
   */
  constructor(samples: readonly Sample[], slots: Int32Array, rules: LineRules) {
    this.#rules = rules;
    this.#samples = new Int32Array(samples.length);
    this.#slots = new Int32Array(samples.length);
    this.#valueStarts = new Int32Array(samples.length);
    this.#lineEnds = new Int32Array(samples.length);
    samples.forEach((sample, index) => {
      if (sample.valueStart === -1) return; // a line in an uncommon form must not change at all
      this.#samples[this.#lineCount] = index;
      this.#slots[this.#lineCount] = slots[index]!;
      this.#valueStarts[this.#lineCount] = sample.valueStart;
      this.#lineEnds[this.#lineCount++] = sample.lineEnd;
    });
  }

  /**
   * Writes the values that differ between the previous body (`before`) and the next one into `values`, by
   * slot. Returns the number of values written, or -1 if the bodies differ outside of values. After -1, the
   * content of `values` is undefined and this object must not be used again.
   */
  read(before: Uint8Array, next: Uint8Array, values: Float64Array): number {
    const beforeView = toDataView(before);
    const nextView = toDataView(next);
    const beforeEnd = before.length;
    const nextEnd = next.length;
    const lineCount = this.#lineCount;
    const valueStarts = this.#valueStarts;
    const lineEnds = this.#lineEnds;
    let line = 0;
    let writtenValues = 0;
    let a = 0; // the current offset in `before`
    let b = 0; // the current offset in `next`
    for (;;) {
      // The distance from `blockStart` at which fewer than 16 bytes remain in one of the bodies.
      const blockLimit = Math.min(beforeEnd - a, nextEnd - b) - 15;
      const blockStart = a;
      while (
        a - blockStart < blockLimit &&
        beforeView.getInt32(a, true) === nextView.getInt32(b, true) &&
        beforeView.getInt32(a + 4, true) === nextView.getInt32(b + 4, true) &&
        beforeView.getInt32(a + 8, true) === nextView.getInt32(b + 8, true) &&
        beforeView.getInt32(a + 12, true) === nextView.getInt32(b + 12, true)
      ) {
        a += 16;
        b += 16;
      }
      while (a < beforeEnd && b < nextEnd && before[a] === next[b]) {
        a++;
        b++;
      }
      const shift = b - a;
      const isAtEnd = a === beforeEnd && b === nextEnd;
      while (line < lineCount && (isAtEnd || lineEnds[line]! < a)) {
        valueStarts[line]! += shift;
        lineEnds[line]! += shift;
        line++;
      }
      if (isAtEnd) break;
      // The bodies differ at `a`: either within the value of this line or outside of all values.
      if (line === lineCount || a < valueStarts[line]!) return -1;
      const valueStart = valueStarts[line]! + shift;
      const valueEnd = findWordEnd(next, valueStart);
      const value = readNumber(next, valueStart, valueEnd);
      if (value === undefined) return -1;
      let lineEnd = valueEnd;
      if (next[valueEnd] === SPACE) {
        lineEnd = next.indexOf(NEWLINE, valueEnd);
        if (lineEnd === -1) lineEnd = nextEnd;
        if (!this.#rules.allowTail(this.#samples[line]!, next, valueEnd + 1, lineEnd)) return -1;
      }
      if (!this.#rules.allowValue(this.#samples[line]!, value)) return -1;
      const slot = this.#slots[line]!;
      if (slot !== -1) {
        values[slot] = value;
        writtenValues++;
      }
      a = lineEnds[line]!;
      b = lineEnd;
      valueStarts[line] = valueStart;
      lineEnds[line++] = b;
    }
    return writtenValues;
  }
}

function toDataView(body: Uint8Array): DataView {
  return new DataView(body.buffer, body.byteOffset, body.byteLength);
}

function findWordEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at]! > SPACE) at++;
  return at;
}
