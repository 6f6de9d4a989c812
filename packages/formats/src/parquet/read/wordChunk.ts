import { ParquetError } from '../error.ts';
import { ChunkReader } from './chunkReader.ts';
import type { DoubleValues, Int64Values } from './column.ts';
import type { Page } from './page.ts';
import { type WordDecoder, wordDecoder } from './words.ts';

/** NaN as low and high word. */
const NAN_HIGH = 0x7ff80000;

/** Reads a chunk of doubles or 64-bit integers. */
export class WordChunkReader extends ChunkReader {
  #dictionary: Int32Array | undefined;
  #decoder: WordDecoder | undefined;

  async doubles(rows: number): Promise<DoubleValues> {
    const values = new Float64Array(rows);
    const present = await this.#words(new Int32Array(values.buffer), rows, NAN_HIGH);
    return { type: 'double', values, ...(present && { present }) };
  }

  async int64s(rows: number): Promise<Int64Values> {
    const values = new BigInt64Array(rows);
    const present = await this.#words(new Int32Array(values.buffer), rows, 0);
    return { type: 'int64', values, ...(present && { present }) };
  }

  protected openDictionary(page: Page): void {
    const words = new Int32Array(Math.floor(page.body.length / 8) * 2);
    if (page.values * 2 > words.length) {
      throw new ParquetError('page', `a dictionary of ${page.values} values has ${page.body.length} bytes`);
    }
    new Uint8Array(words.buffer).set(page.body.subarray(0, words.byteLength));
    this.#dictionary = words.subarray(0, page.values * 2);
  }

  protected openPage(page: Page): void {
    this.#decoder = wordDecoder(page.encoding, page.body, this.#dictionary);
  }

  /** Reads words to `out` and returns which rows have a value, unless all have. */
  async #words(out: Int32Array, rows: number, absentHigh: number): Promise<Uint8Array | undefined> {
    let present: Uint8Array | undefined;
    await this.advance(rows, (from, length, levels, count) => {
      this.#decoder!.read(out, from, count);
      if (levels) {
        present ??= new Uint8Array(rows).fill(1, 0, from);
        present.set(levels, from);
        spreadWords(out, from, length, levels, count, absentHigh);
      } else {
        present?.fill(1, from, from + length);
      }
    });
    return present;
  }
}

/** Moves `count` values that stand together to the rows that have one, from the last to the first. */
function spreadWords(
  out: Int32Array,
  from: number,
  length: number,
  levels: Uint8Array,
  count: number,
  absentHigh: number,
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
      out[at + 1] = absentHigh;
    }
  }
}
