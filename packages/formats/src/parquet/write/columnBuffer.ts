import type { Column } from '../columns.ts';
import { TextDictionary, WordDictionary } from './dictionary.ts';
import { NULL_CODE, Runs } from './runs.ts';

/** The rows of one column in the current row group. */
export class ColumnBuffer {
  readonly column: Column;
  readonly runs: Runs = new Runs();
  /** Distinct values of a string column. */
  readonly texts: TextDictionary = new TextDictionary();
  /** Distinct values of a numeric column. */
  readonly words: WordDictionary = new WordDictionary();

  constructor(column: Column) {
    this.column = column;
  }

  /** Adds `rows` rows with the same string, or nulls. */
  pushText(text: string | null, rows: number): void {
    this.runs.push(text === null ? NULL_CODE : this.texts.getCode(text), rows);
  }

  /** Adds the 64-bit values with index `from` to `to` - 1, each for `repeat` rows. */
  pushWords(values: Float64Array | BigInt64Array, from: number, to: number, repeat: number): void {
    const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
    const { runs, words: dictionary } = this;
    for (let i = from; i < to; i++) runs.push(dictionary.getCode(words[2 * i]!, words[2 * i + 1]!), repeat);
  }

  /** Adds all bounds of a histogram once for each of `timestamps` timestamps. */
  pushBounds(bounds: readonly string[], timestamps: number): void {
    const codes = bounds.map(bound => this.texts.getCode(bound));
    for (let i = 0; i < timestamps; i++) {
      for (const code of codes) this.runs.push(code, 1);
    }
  }

  /** Adds the bucket counts timestamp by timestamp. If the count of a bucket is unchanged, its code is reused. */
  pushBuckets(bucketCounts: readonly Float64Array[], from: number, to: number): void {
    const { runs, words: dictionary } = this;
    const buckets = bucketCounts.map(
      counts => new Int32Array(counts.buffer, counts.byteOffset, counts.length * 2),
    );
    const codes = new Int32Array(buckets.length);
    for (let i = from; i < to; i++) {
      for (let bucket = 0; bucket < buckets.length; bucket++) {
        const words = buckets[bucket]!;
        const low = words[2 * i]!;
        const high = words[2 * i + 1]!;
        if (i === from || low !== words[2 * i - 2] || high !== words[2 * i - 1]) {
          codes[bucket] = dictionary.getCode(low, high);
        }
        runs.push(codes[bucket]!, 1);
      }
    }
  }

  clear(): void {
    this.runs.clear();
    this.texts.clear();
    this.words.clear();
  }
}
