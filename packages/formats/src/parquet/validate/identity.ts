import type { Int64Values, TextValues } from '../read/column.ts';

/** Finds the rows at which another series or timestamp begins, over all batches of a file. */
export class IdentityTracker {
  #texts: (string | null)[] | undefined;
  #timestamp = 0n;

  /** For each row 1 when it differs from the row before in a string or the timestamp, 0 when not. */
  starts(rows: number, texts: readonly TextValues[], timestamps: Int64Values): Uint8Array {
    const starts = new Uint8Array(rows);
    const words = new Int32Array(timestamps.values.buffer, timestamps.values.byteOffset, rows * 2);
    for (let row = 1; row < rows; row++) {
      const at = row * 2;
      if (words[at] !== words[at - 2] || words[at + 1] !== words[at - 1]) starts[row] = 1;
    }
    for (const { codes } of texts) {
      for (let row = 1; row < rows; row++) if (codes[row] !== codes[row - 1]) starts[row] = 1;
    }
    starts[0] = this.#isNew(texts, timestamps) ? 1 : 0;
    this.#texts = texts.map(column => textAt(column, rows - 1));
    this.#timestamp = timestamps.values[rows - 1]!;
    return starts;
  }

  /** Codes mean nothing from one batch to the next, so that the strings are compared there. */
  #isNew(texts: readonly TextValues[], timestamps: Int64Values): boolean {
    const before = this.#texts;
    if (!before || timestamps.values[0] !== this.#timestamp) return true;
    return texts.some((column, i) => textAt(column, 0) !== before[i]);
  }
}

/** The string of a row, or null when it has none. */
export function textAt({ codes, texts }: TextValues, row: number): string | null {
  const code = codes[row]!;
  return code < 0 ? null : texts[code]!;
}
