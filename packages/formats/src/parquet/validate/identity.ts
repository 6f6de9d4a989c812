import type { Int64Values, TextValues } from '../read/batch.ts';

/**
 * Relation of a row to the previous row: same series and timestamp, new timestamp of the same series, or new
 * series.
 */
export const SAME = 0;
export const NEW_TIMESTAMP = 1;
export const NEW_SERIES = 2;

/** Finds the first row of each series and timestamp, across the batches of a file. */
export class IdentityTracker {
  #lastTexts: (string | null)[] | undefined;
  #lastTimestamp = 0n;

  /** Returns SAME, NEW_TIMESTAMP or NEW_SERIES for each row of a batch. */
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
    this.#lastTexts = texts.map(column => getText(column, rows - 1));
    this.#lastTimestamp = timestamps.values[rows - 1]!;
    return starts;
  }

  /**
   * Compares the first row with the last row of the previous batch, by strings, because codes differ between
   * batches.
   */
  #compareFirstRow(texts: readonly TextValues[], timestamps: Int64Values): number {
    const lastTexts = this.#lastTexts;
    if (!lastTexts || texts.some((column, i) => getText(column, 0) !== lastTexts[i])) return NEW_SERIES;
    return timestamps.values[0] === this.#lastTimestamp ? SAME : NEW_TIMESTAMP;
  }
}

/** Returns the string of a row, or null. */
export function getText({ codes, texts }: TextValues, row: number): string | null {
  const code = codes[row]!;
  return code < 0 ? null : texts[code]!;
}
