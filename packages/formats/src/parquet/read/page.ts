import { crc32 } from 'node:zlib';
import { ParquetError } from '../error.ts';
import { uncompress } from './codec.ts';
import { CompactReader, TruncatedError } from './compact.ts';
import { Encoding } from './encoding.ts';
import type { ChunkLayout } from './footer.ts';
import { type PageHeader, PageType, readPageHeader } from './pageHeader.ts';
import type { MemoryBudget, Source } from './source.ts';

/** Maximum size of a page header in bytes. Headers can contain long strings in their statistics. */
const MAX_HEADER_BYTES = 1 << 20;
const READ_AHEAD_BYTES = 1 << 18;

/** A decompressed page. */
export interface Page {
  readonly isDictionary: boolean;
  /** Number of rows of a data page, including nulls, or of entries of a dictionary page. */
  readonly values: number;
  /** Encoding of the values, by its number in parquet.thrift. */
  readonly encoding: number;
  /** Encoded definition levels; empty if the column has none. */
  readonly levels: Uint8Array;
  readonly body: Uint8Array;
  /** Number of bytes reserved in the memory budget. */
  readonly cost: number;
}

/** Reads the pages of a column chunk sequentially. */
export class PageReader {
  readonly #source: Source;
  readonly #codec: number;
  readonly #budget: MemoryBudget;
  readonly #hasLevels: boolean;
  /** File offsets of the next byte to read and of the end of the chunk. */
  #next: number;
  readonly #end: number;
  /** Bytes that are read but not yet consumed. */
  #window: Uint8Array = new Uint8Array(0);

  constructor(source: Source, chunk: ChunkLayout, hasLevels: boolean, budget: MemoryBudget) {
    this.#source = source;
    this.#codec = chunk.codec;
    this.#hasLevels = hasLevels;
    this.#budget = budget;
    this.#next = chunk.start;
    this.#end = chunk.start + chunk.size;
  }

  /**
   * Reads the next page, or returns undefined at the end of the chunk. The caller must release the cost of
   * the page when it is done with the page.
   */
  async next(): Promise<Page | undefined> {
    for (;;) {
      if (this.#window.length === 0 && this.#next >= this.#end) return undefined;
      const header = await this.#readHeader();
      const packed = await this.#readBytes(header.packedSize);
      if (header.checksum !== undefined && header.checksum !== (crc32(packed) | 0)) {
        throw new ParquetError('page', `a page of ${packed.length} bytes does not match its checksum`);
      }
      if (
        header.type === PageType.DATA_PAGE ||
        header.type === PageType.DICTIONARY_PAGE ||
        header.type === PageType.DATA_PAGE_V2
      ) {
        this.#budget.reserve(header.unpackedSize);
        return this.#buildPage(header, packed);
      }
    }
  }

  async #readHeader(): Promise<PageHeader> {
    for (let wantedBytes = 256; ; wantedBytes *= 4) {
      await this.#fillWindow(wantedBytes);
      try {
        const reader = new CompactReader(this.#window);
        const header = readPageHeader(reader);
        this.#window = this.#window.subarray(reader.at);
        return header;
      } catch (error) {
        const cannotReadMore = this.#next >= this.#end || wantedBytes >= MAX_HEADER_BYTES;
        if (!(error instanceof ParquetError)) throw error;
        if (!(error instanceof TruncatedError) || cannotReadMore) {
          throw new ParquetError('page', `cannot read a page header: ${error.message}`);
        }
      }
    }
  }

  async #readBytes(length: number): Promise<Uint8Array> {
    await this.#fillWindow(length);
    if (this.#window.length < length) {
      throw new ParquetError(
        'page',
        `a page of ${length} bytes is truncated: its chunk has only ${this.#window.length} bytes left`,
      );
    }
    const bytes = this.#window.subarray(0, length);
    this.#window = this.#window.subarray(length);
    return bytes;
  }

  /** Fills the window to at least `length` bytes, or to the end of the chunk. */
  async #fillWindow(length: number): Promise<void> {
    if (this.#window.length >= length || this.#next >= this.#end) return;
    const missing = length - this.#window.length;
    const count = Math.min(this.#end - this.#next, Math.max(missing, READ_AHEAD_BYTES));
    const bytes = await this.#source.read(this.#next, count);
    this.#next += count;
    this.#window = this.#window.length === 0 ? bytes : Buffer.concat([this.#window, bytes]);
  }

  #buildPage(header: PageHeader, packed: Uint8Array): Page {
    const { values, encoding, unpackedSize: cost } = header;
    const isDictionary = header.type === PageType.DICTIONARY_PAGE;
    const parts =
      header.type === PageType.DATA_PAGE_V2
        ? this.#splitV2(header, packed)
        : this.#splitV1(header, uncompress(this.#codec, packed, cost));
    return { isDictionary, values, encoding, cost, ...parts };
  }

  /** Splits a page of version 1: levels are compressed together with the values and preceded by their length. */
  #splitV1(header: PageHeader, bytes: Uint8Array): Pick<Page, 'levels' | 'body'> {
    if (header.type === PageType.DICTIONARY_PAGE || !this.#hasLevels) {
      return { levels: bytes.subarray(0, 0), body: bytes };
    }
    if (header.levelEncoding !== Encoding.RLE) {
      throw new ParquetError(
        'unsupported',
        `levels have encoding ${header.levelEncoding}; only RLE is supported`,
      );
    }
    const length = bytes.length < 4 ? Number.POSITIVE_INFINITY : readUint32(bytes);
    if (length > bytes.length - 4) throw new ParquetError('page', 'the levels of a page are truncated');
    return { levels: bytes.subarray(4, 4 + length), body: bytes.subarray(4 + length) };
  }

  /** Splits a page of version 2: levels are uncompressed, and their length is in the header. */
  #splitV2(header: PageHeader, packed: Uint8Array): Pick<Page, 'levels' | 'body'> {
    const allLevelBytes = header.levelBytes + header.repetitionBytes;
    if (allLevelBytes > packed.length || allLevelBytes > header.unpackedSize) {
      throw new ParquetError(
        'page',
        `a page of ${packed.length} bytes states ${allLevelBytes} bytes of levels`,
      );
    }
    const codec = header.isCompressed ? this.#codec : 0;
    return {
      levels: packed.subarray(header.repetitionBytes, allLevelBytes),
      body: uncompress(codec, packed.subarray(allLevelBytes), header.unpackedSize - allLevelBytes),
    };
  }
}

function readUint32(bytes: Uint8Array): number {
  return (bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24)) >>> 0;
}
