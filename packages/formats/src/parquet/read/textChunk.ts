import { ParquetError } from '../error.ts';
import type { TextValues } from './batch.ts';
import { ChunkReader } from './chunkReader.ts';
import { createCodeDecoder, createCodeError, Encoding, isDictionaryEncoding } from './encoding.ts';
import type { HybridDecoder } from './hybrid.ts';
import type { Page } from './page.ts';
import { type ByteArrayDecoder, createByteArrayDecoder } from './texts.ts';

/** Maximum number of strings in a dictionary. Row groups of common writers have fewer rows. */
const MAX_DICTIONARY_SIZE = 1 << 22;
/** Maximum number of characters in the strings of a batch without a dictionary. */
const MAX_CHARACTERS = 1 << 28;

/** Reads a column chunk of strings. */
export class TextChunkReader extends ChunkReader {
  #dictionary: string[] = [];
  #codes: HybridDecoder | undefined;
  #texts: ByteArrayDecoder | undefined;

  async readTexts(rows: number): Promise<TextValues> {
    const codes = new Int32Array(rows);
    const table = new TextTable();
    await this.advance(rows, (from, length, levels, count) => {
      this.#read(codes, from, count, table);
      if (levels) spreadCodes(codes, from, length, levels, count);
    });
    return { type: 'string', codes, texts: table.extended ?? this.#dictionary };
  }

  protected openDictionary(page: Page): void {
    if (page.values > MAX_DICTIONARY_SIZE) {
      throw new ParquetError(
        'limit',
        `a dictionary has ${page.values} strings; the limit is ${MAX_DICTIONARY_SIZE}`,
      );
    }
    const texts = createByteArrayDecoder(Encoding.PLAIN, page.body);
    if (page.values * 4 > page.body.length) {
      throw new ParquetError(
        'page',
        `a dictionary of ${page.values} strings has only ${page.body.length} bytes`,
      );
    }
    this.#dictionary = Array.from({ length: page.values }, () => decodeUtf8(texts.next()));
  }

  protected openPage(page: Page): void {
    const isCoded = isDictionaryEncoding(page.encoding);
    this.#codes = isCoded ? createCodeDecoder(page.body) : undefined;
    this.#texts = isCoded ? undefined : createByteArrayDecoder(page.encoding, page.body);
  }

  #read(codes: Int32Array, from: number, count: number, table: TextTable): void {
    if (this.#codes) {
      this.#codes.read(codes, from, count);
      const size = this.#dictionary.length;
      for (let i = from; i < from + count; i++) {
        if (codes[i]! >>> 0 >= size) throw createCodeError(codes[i]! >>> 0, size);
      }
      return;
    }
    for (let i = from; i < from + count; i++) {
      codes[i] = table.getCode(decodeUtf8(this.#texts!.next()), this.#dictionary);
    }
  }
}

/** The strings of a batch: the dictionary, followed by the strings of pages without a dictionary. */
class TextTable {
  /** Undefined as long as all strings are in the dictionary. */
  extended: string[] | undefined;
  readonly #codes = new Map<string, number>();
  #characters = 0;

  /** Returns the code of `text`, and adds the text if it is new. */
  getCode(text: string, dictionary: readonly string[]): number {
    this.extended ??= dictionary.slice();
    const existingCode = this.#codes.get(text);
    if (existingCode !== undefined) return existingCode;
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) {
      throw new ParquetError(
        'limit',
        `a batch has more than ${MAX_CHARACTERS} characters of text; use smaller batches`,
      );
    }
    this.#codes.set(text, this.extended.length);
    return this.extended.push(text) - 1;
  }
}

/** Moves `count` consecutive codes to the rows that have a value, last to first. Other rows become null. */
function spreadCodes(out: Int32Array, from: number, length: number, levels: Uint8Array, count: number): void {
  let source = from + count - 1;
  for (let i = length - 1; i >= 0; i--) out[from + i] = levels[i] === 1 ? out[source--]! : -1;
}

function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
