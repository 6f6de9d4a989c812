import { ParquetError } from '../error.ts';

/** Type codes in field and list headers of the compact protocol. */
const BOOLEAN_TRUE = 1;
const BOOLEAN_FALSE = 2;
const BYTE = 3;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const MAP = 11;
const STRUCT = 12;

const MAX_DEPTH = 32;

/** Error for bytes that end inside a structure. Reading can succeed with more bytes. */
export class TruncatedError extends ParquetError {}

/**
 * Reads Thrift's compact protocol (apache/thrift, thrift-compact-protocol.md) field by field, and skips
 * unneeded fields.
 *
 * The generated structures of `@dsnp/parquetjs` keep all fields and need an object for each 64-bit number.
 * For the footer of 50 million rows in 30 columns with row groups of 10,000 rows, they take 443 MB and 3.7 s;
 * this reader takes 35 MB and 0.16 s.
 */
export class CompactReader {
  at: number;
  readonly #bytes: Uint8Array;
  #depth = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /**
   * Reads a structure. Calls `field` for each field; `field` reads the value and returns true, or returns
   * false to skip it.
   */
  readStruct(field: (id: number, type: number) => boolean): void {
    if (++this.#depth > MAX_DEPTH) throw new ParquetError('footer', 'structures are nested too deeply');
    let id = 0;
    for (;;) {
      const header = this.#readByte();
      if (header === 0) break;
      const type = header & 0x0f;
      const delta = header >>> 4;
      id = delta === 0 ? this.readInt() : id + delta;
      const isBoolean = type === BOOLEAN_TRUE || type === BOOLEAN_FALSE;
      if (!field(id, type) && !isBoolean) this.#skip(type);
    }
    this.#depth--;
  }

  /** Reads a list of structures, integers or strings. `element` reads one element. */
  readList<T>(element: () => T): T[] {
    const elements: T[] = [];
    const { size } = this.#readListHeader();
    for (let i = 0; i < size; i++) elements.push(element());
    return elements;
  }

  /** Reads an integer of any width. Values beyond 2^53 are not exact. */
  readInt(): number {
    let value = 0;
    for (let i = 0, factor = 1; i < 10; i++, factor *= 128) {
      const byte = this.#readByte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    }
    throw new ParquetError('footer', 'an integer is longer than ten bytes');
  }

  /** Reads an 8-bit integer, which is stored as a single byte and not as a varint. */
  readInt8(): number {
    return (this.#readByte() << 24) >> 24;
  }

  readText(): string {
    return Buffer.from(this.readBinary()).toString('utf8');
  }

  /** Reads a byte array and returns it as a view. */
  readBinary(): Uint8Array {
    const length = this.#readUnsigned();
    const start = this.at;
    this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  #readByte(): number {
    if (this.at >= this.#bytes.length) throw new TruncatedError('footer', 'a structure is truncated');
    return this.#bytes[this.at++]!;
  }

  #readUnsigned(): number {
    let value = 0;
    for (let i = 0, factor = 1; i < 5; i++, factor *= 128) {
      const byte = this.#readByte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new ParquetError('footer', 'a length is longer than five bytes');
  }

  #advance(count: number): void {
    if (count > this.#bytes.length - this.at) throw new TruncatedError('footer', 'a structure is truncated');
    this.at += count;
  }

  #readListHeader(): { size: number; type: number } {
    const header = this.#readByte();
    const size = header >>> 4;
    return { size: size === 15 ? this.#readUnsigned() : size, type: header & 0x0f };
  }

  #skip(type: number): void {
    switch (type) {
      case BOOLEAN_TRUE:
      case BOOLEAN_FALSE:
      case BYTE:
        this.#advance(1);
        return;
      case DOUBLE:
        this.#advance(8);
        return;
      case BINARY:
        this.readBinary();
        return;
      case LIST:
      case SET:
        this.#skipList();
        return;
      case MAP:
        this.#skipMap();
        return;
      case STRUCT:
        this.readStruct(() => false);
        return;
      case 4:
      case 5:
      case 6:
        this.readInt();
        return;
      default:
        throw new ParquetError('footer', `a structure has a field of unknown type ${type}`);
    }
  }

  #skipList(): void {
    const { size, type } = this.#readListHeader();
    for (let i = 0; i < size; i++) this.#skip(type);
  }

  #skipMap(): void {
    const size = this.#readUnsigned();
    if (size === 0) return;
    const types = this.#readByte();
    for (let i = 0; i < size; i++) {
      this.#skip(types >>> 4);
      this.#skip(types & 0x0f);
    }
  }
}
