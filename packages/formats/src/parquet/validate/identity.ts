import type { Int64Values, TextValues } from '../read/batch.ts';

/** Relation of a row to the previous row. */
export const SAME = 0;
export const NEW_TIMESTAMP = 1;
export const NEW_SERIES = 2;

/** Finds the first rows of each series and timestamp, across the batches of a file. */
export class IdentityTracker {
  #texts: (string | null)[] | undefined;
  #timestamp = 0n;

  /** Returns for each row whether it starts a series, a timestamp of the same series, or neither. */
  findStarts(rows: number, texts: readonly TextValues[], timestamps: Int64Values): Uint8Array {
    const starts = new Uint8Array(rows);
    const words = new Int32Array(timestamps.values.buffer, timestamps.values.byteOffset, rows * 2);
    for (let row = 1; row < rows; row++) {
      const at = row * 2;
      if (words[at] !== words[at - 2] || words[at + 1] !== words[at - 1]) starts[row] = NEW_TIMESTAMP;
    }
    for (const { codes } of texts) {
      for (let row = 1; row < rows; row++) if (codes[row] !== codes[row - 1]) starts[row] = NEW_SERIES;
    }
    starts[0] = this.#compareFirstRow(texts, timestamps);
    this.#texts = texts.map(column => getText(column, rows - 1));
    this.#timestamp = timestamps.values[rows - 1]!;
    return starts;
  }

  /** Compares the first row with the last row of the previous batch, by strings, because codes differ between batches. */
  #compareFirstRow(texts: readonly TextValues[], timestamps: Int64Values): number {
    const before = this.#texts;
    if (!before || texts.some((column, i) => getText(column, 0) !== before[i])) return NEW_SERIES;
    return timestamps.values[0] === this.#timestamp ? SAME : NEW_TIMESTAMP;
  }
}

/** Returns the string of a row, or null. */
export function getText({ codes, texts }: TextValues, row: number): string | null {
  const code = codes[row]!;
  return code < 0 ? null : texts[code]!;
}
