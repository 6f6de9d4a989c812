import { ParquetError } from '../error.ts';
import type { DoubleValues, Int64Values } from './batch.ts';
import { ChunkReader } from './chunkReader.ts';
import type { Page } from './page.ts';
import { createWordDecoder, type WordDecoder } from './words.ts';

/** High 32 bits of NaN; the low 32 bits are 0. */
const NAN_HIGH = 0x7ff80000;

/** Reads a column chunk of doubles or 64-bit integers, as pairs of 32-bit words. */
export class WordChunkReader extends ChunkReader {
  #dictionary: Int32Array | undefined;
  #decoder: WordDecoder | undefined;

  async readDoubles(rows: number): Promise<DoubleValues> {
    const values = new Float64Array(rows);
    const present = await this.#readWords(new Int32Array(values.buffer), rows, NAN_HIGH);
    return { type: 'double', values, ...(present && { present }) };
  }

  async readInt64s(rows: number): Promise<Int64Values> {
    const values = new BigInt64Array(rows);
    const present = await this.#readWords(new Int32Array(values.buffer), rows, 0);
    return { type: 'int64', values, ...(present && { present }) };
  }

  protected openDictionary(page: Page): void {
    const words = new Int32Array(Math.floor(page.body.length / 8) * 2);
    if (page.values * 2 > words.length) {
      throw new ParquetError(
        'page',
        `a dictionary of ${page.values} values has only ${page.body.length} bytes`,
      );
    }
    new Uint8Array(words.buffer).set(page.body.subarray(0, words.byteLength));
    this.#dictionary = words.subarray(0, page.values * 2);
  }

  protected openPage(page: Page): void {
    this.#decoder = createWordDecoder(page.encoding, page.body, this.#dictionary);
  }

  /**
   * Reads values into `out`. Returns 1 for each row with a value and 0 for null, or undefined if there are no
   * nulls.
   */
  async #readWords(out: Int32Array, rows: number, nullHigh: number): Promise<Uint8Array | undefined> {
    let present: Uint8Array | undefined;
    await this.advance(rows, (from, length, levels, count) => {
      this.#decoder!.read(out, from, count);
      if (levels) {
        present ??= new Uint8Array(rows).fill(1, 0, from);
        present.set(levels, from);
        spreadWords(out, from, length, levels, count, nullHigh);
      } else {
        present?.fill(1, from, from + length);
      }
    });
    return present;
  }
}

/** Moves `count` consecutive values to the rows that have a value, last to first. Other rows get the value for null. */
function spreadWords(
  out: Int32Array,
  from: number,
  length: number,
  levels: Uint8Array,
  count: number,
  nullHigh: number,
): void {
  let source = from + count - 1;
  for (let i = length - 1; i >= 0; i--) {
    const at = 2 * (from + i);
    if (levels[i] === 1) {
      out[at] = out[2 * source]!;
      out[at + 1] = out[2 * source + 1]!;
      source--;
    } else {
      out[at] = 0;
      out[at + 1] = nullHigh;
    }
  }
}
