import { ParquetError } from '../error.ts';
import { HybridDecoder } from './hybrid.ts';
import type { ChunkLayout } from './layout.ts';
import { type Page, PageReader } from './page.ts';
import type { FileSource, MemoryBudget } from './source.ts';
import {
  codeDecoder,
  codeTooLarge,
  isDictionaryEncoding,
  type TextDecoder,
  textDecoder,
  type WordDecoder,
  wordDecoder,
} from './values.ts';

/** Strings of some rows, each different one once. */
export interface TextValues {
  readonly type: 'string';
  /** For each row the index of its string in `texts`, or -1 when it has none. */
  readonly codes: Int32Array;
  readonly texts: readonly string[];
}

/** Doubles of some rows. */
export interface DoubleValues {
  readonly type: 'double';
  /** For each row its value, or NaN when it has none. */
  readonly values: Float64Array;
  /** For each row 1 when it has a value and 0 when not; absent when all have one. */
  readonly present?: Uint8Array;
}

/** 64-bit integers of some rows. */
export interface Int64Values {
  readonly type: 'int64';
  /** For each row its value, or 0 when it has none. */
  readonly values: BigInt64Array;
  readonly present?: Uint8Array;
}

export type ColumnValues = TextValues | DoubleValues | Int64Values;

/** NaN as low and high word. */
const NAN_HIGH = 0x7ff80000;

/** Reads one column chunk, so many rows at a time, page by page. */
abstract class ChunkReader {
  protected page: Page | undefined;
  readonly #pages: PageReader;
  readonly #budget: MemoryBudget;
  readonly #name: string;
  readonly #isOptional: boolean;
  /** Rows of the page that are not read yet. */
  #left = 0;
  #levels: HybridDecoder | undefined;
  #dictionaryCost = 0;

  constructor(
    source: FileSource,
    chunk: ChunkLayout,
    name: string,
    isOptional: boolean,
    budget: MemoryBudget,
  ) {
    this.#pages = new PageReader(source, chunk, isOptional, budget);
    this.#budget = budget;
    this.#name = name;
    this.#isOptional = isOptional;
  }

  /** Gives back what it holds. */
  release(): void {
    this.#budget.give((this.page?.cost ?? 0) + this.#dictionaryCost);
    this.page = undefined;
    this.#dictionaryCost = 0;
  }

  protected abstract openDictionary(page: Page): void;
  protected abstract openPage(page: Page): void;

  /**
   * Goes through the next `rows` rows by pages: `take` gets, for a stretch of them, its first row and length and, when not
   * all of it have values, which do.
   */
  protected async advance(
    rows: number,
    take: (from: number, length: number, levels: Uint8Array | undefined, present: number) => void,
  ): Promise<void> {
    let from = 0;
    while (from < rows) {
      if (this.#left === 0) {
        await this.#nextPage(rows - from);
        continue;
      }
      const length = Math.min(this.#left, rows - from);
      try {
        this.#takeStretch(from, length, take);
      } catch (error) {
        throw this.#located(error);
      }
      this.#left -= length;
      from += length;
    }
  }

  #takeStretch(
    from: number,
    length: number,
    take: (from: number, length: number, levels: Uint8Array | undefined, present: number) => void,
  ): void {
    if (!this.#levels) {
      take(from, length, undefined, length);
      return;
    }
    const levels = new Uint8Array(length);
    this.#levels.read(levels, 0, length);
    let present = 0;
    for (let i = 0; i < length; i++) present += levels[i]!;
    take(from, length, present === length ? undefined : levels, present);
  }

  async #nextPage(missing: number): Promise<void> {
    this.#budget.give(this.page?.cost ?? 0);
    this.page = undefined;
    try {
      const page = await this.#pages.next();
      if (!page) throw new ParquetError('page', `the column chunk ends ${missing} rows early`);
      if (page.isDictionary) {
        this.#dictionaryCost += page.cost;
        this.openDictionary(page);
        return;
      }
      this.page = page;
      this.#left = page.values;
      this.#levels = this.#isOptional ? new HybridDecoder(page.levels, 1) : undefined;
      this.openPage(page);
    } catch (error) {
      throw this.#located(error);
    }
  }

  #located(error: unknown): unknown {
    if (!(error instanceof ParquetError)) return error;
    return new ParquetError(error.code, `column ${JSON.stringify(this.#name)}: ${error.message}`, {
      cause: error,
    });
  }
}

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

/** Reads a chunk of strings. */
export class TextChunkReader extends ChunkReader {
  #dictionary: string[] = [];
  #codes: HybridDecoder | undefined;
  #texts: TextDecoder | undefined;

  async texts(rows: number): Promise<TextValues> {
    const codes = new Int32Array(rows);
    const table = new TextTable();
    await this.advance(rows, (from, length, levels, count) => {
      this.#read(codes, from, count, table);
      if (levels) spreadCodes(codes, from, length, levels, count);
    });
    return { type: 'string', codes, texts: table.own ?? this.#dictionary };
  }

  protected openDictionary(page: Page): void {
    const texts = textDecoder(0, page.body);
    if (page.values * 4 > page.body.length) {
      throw new ParquetError('page', `a dictionary of ${page.values} strings has ${page.body.length} bytes`);
    }
    this.#dictionary = Array.from({ length: page.values }, () => utf8(texts.next()));
  }

  protected openPage(page: Page): void {
    const isCoded = isDictionaryEncoding(page.encoding);
    this.#codes = isCoded ? codeDecoder(page.body) : undefined;
    this.#texts = isCoded ? undefined : textDecoder(page.encoding, page.body);
  }

  #read(codes: Int32Array, from: number, count: number, table: TextTable): void {
    if (this.#codes) {
      this.#codes.read(codes, from, count);
      const size = this.#dictionary.length;
      for (let i = from; i < from + count; i++) {
        if (codes[i]! >>> 0 >= size) throw codeTooLarge(codes[i]! >>> 0, size);
      }
      return;
    }
    for (let i = from; i < from + count; i++) {
      codes[i] = table.code(utf8(this.#texts!.next()), this.#dictionary);
    }
  }
}

/** Strings of one batch that came without a dictionary, behind those of the dictionary. */
class TextTable {
  own: string[] | undefined;
  readonly #codes = new Map<string, number>();

  code(text: string, dictionary: readonly string[]): number {
    this.own ??= dictionary.slice();
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.own.length);
    return this.own.push(text) - 1;
  }
}

function spreadCodes(out: Int32Array, from: number, length: number, levels: Uint8Array, count: number): void {
  let source = from + count - 1;
  for (let i = length - 1; i >= 0; i--) out[from + i] = levels[i] === 1 ? out[source--]! : -1;
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
