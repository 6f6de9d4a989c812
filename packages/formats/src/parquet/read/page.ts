import { crc32 } from 'node:zlib';
import { ParquetError } from '../error.ts';
import { uncompress } from './codec.ts';
import { CompactReader, CutOff } from './compact.ts';
import { Encoding } from './encoding.ts';
import type { ChunkLayout } from './layout.ts';
import { type PageHeader, PageType, readPageHeader } from './pageHeader.ts';
import type { MemoryBudget, Source } from './source.ts';

/** A header holds statistics, with strings of any length. */
const MAX_HEADER = 1 << 20;
const READ_AHEAD = 1 << 18;

/** A page as it was unpacked. */
export interface Page {
  readonly isDictionary: boolean;
  /** Rows of a data page, with and without value; entries of a dictionary page. */
  readonly values: number;
  /** Number of the encoding of its values in parquet.thrift. */
  readonly encoding: number;
  /** Definition levels as hybrid runs, where the column has levels. */
  readonly levels: Uint8Array;
  readonly body: Uint8Array;
  /** What the memory budget was charged with. */
  readonly cost: number;
}

/** Reads the pages of one column chunk from front to back. */
export class PageReader {
  readonly #source: Source;
  readonly #codec: number;
  readonly #budget: MemoryBudget;
  readonly #hasLevels: boolean;
  /** Position in the file of the first byte that is not read yet, and of the end of the chunk. */
  #next: number;
  readonly #end: number;
  /** Bytes that were read and not used yet. */
  #window: Uint8Array = new Uint8Array(0);

  constructor(source: Source, chunk: ChunkLayout, hasLevels: boolean, budget: MemoryBudget) {
    this.#source = source;
    this.#codec = chunk.codec;
    this.#hasLevels = hasLevels;
    this.#budget = budget;
    this.#next = chunk.start;
    this.#end = chunk.start + chunk.size;
  }

  /** The next page, or undefined at the end of the chunk. The caller gives its cost back to the budget. */
  async next(): Promise<Page | undefined> {
    for (;;) {
      if (this.#window.length === 0 && this.#next >= this.#end) return undefined;
      const header = await this.#header();
      const packed = await this.#take(header.packedSize);
      if (header.checksum !== undefined && header.checksum !== (crc32(packed) | 0)) {
        throw new ParquetError('page', `a page of ${packed.length} bytes does not match its checksum`);
      }
      if (
        header.type === PageType.DATA_PAGE ||
        header.type === PageType.DICTIONARY_PAGE ||
        header.type === PageType.DATA_PAGE_V2
      ) {
        this.#budget.take(header.unpackedSize);
        return this.#page(header, packed);
      }
    }
  }

  async #header(): Promise<PageHeader> {
    for (let wanted = 256; ; wanted *= 4) {
      await this.#fill(wanted);
      try {
        const reader = new CompactReader(this.#window);
        const header = readPageHeader(reader);
        this.#window = this.#window.subarray(reader.at);
        return header;
      } catch (error) {
        const isAll = this.#next >= this.#end || wanted >= MAX_HEADER;
        if (!(error instanceof ParquetError)) throw error;
        if (!(error instanceof CutOff) || isAll) {
          throw new ParquetError('page', `cannot read a page header: ${error.message}`);
        }
      }
    }
  }

  async #take(length: number): Promise<Uint8Array> {
    await this.#fill(length);
    if (this.#window.length < length) {
      throw new ParquetError(
        'page',
        `a page of ${length} bytes has only ${this.#window.length} in its chunk`,
      );
    }
    const bytes = this.#window.subarray(0, length);
    this.#window = this.#window.subarray(length);
    return bytes;
  }

  /** Has at least `length` bytes in the window, or all that are left. */
  async #fill(length: number): Promise<void> {
    if (this.#window.length >= length || this.#next >= this.#end) return;
    const missing = length - this.#window.length;
    const count = Math.min(this.#end - this.#next, Math.max(missing, READ_AHEAD));
    const bytes = await this.#source.read(this.#next, count);
    this.#next += count;
    this.#window = this.#window.length === 0 ? bytes : Buffer.concat([this.#window, bytes]);
  }

  #page(header: PageHeader, packed: Uint8Array): Page {
    const { values, encoding, unpackedSize: cost } = header;
    const isDictionary = header.type === PageType.DICTIONARY_PAGE;
    const parts =
      header.type === PageType.DATA_PAGE_V2
        ? this.#partsOfV2(header, packed)
        : this.#partsOfV1(header, uncompress(this.#codec, packed, cost));
    return { isDictionary, values, encoding, cost, ...parts };
  }

  /** Levels stand before the values, with their length, and are packed with them. */
  #partsOfV1(header: PageHeader, bytes: Uint8Array): Pick<Page, 'levels' | 'body'> {
    if (header.type === PageType.DICTIONARY_PAGE || !this.#hasLevels) {
      return { levels: bytes.subarray(0, 0), body: bytes };
    }
    if (header.levelEncoding !== Encoding.RLE) {
      throw new ParquetError('unsupported', `levels in encoding ${header.levelEncoding}; RLE is accepted`);
    }
    const length = bytes.length < 4 ? Number.POSITIVE_INFINITY : littleEndian32(bytes);
    if (length > bytes.length - 4) throw new ParquetError('page', 'the levels of a page are cut off');
    return { levels: bytes.subarray(4, 4 + length), body: bytes.subarray(4 + length) };
  }

  /** Levels stand before the values and are never packed; their length is in the header. */
  #partsOfV2(header: PageHeader, packed: Uint8Array): Pick<Page, 'levels' | 'body'> {
    const before = header.levelBytes + header.repetitionBytes;
    if (before > packed.length || before > header.unpackedSize) {
      throw new ParquetError('page', `a page of ${packed.length} bytes says it has ${before} of levels`);
    }
    const codec = header.isCompressed ? this.#codec : 0;
    return {
      levels: packed.subarray(header.repetitionBytes, before),
      body: uncompress(codec, packed.subarray(before), header.unpackedSize - before),
    };
  }
}

function littleEndian32(bytes: Uint8Array): number {
  return (bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24)) >>> 0;
}
