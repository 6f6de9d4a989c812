/** Wire types of protobuf (https://protobuf.dev/programming-guides/encoding/). */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Thrown for bytes that are not the expected protobuf message. */
export class ProtobufError extends Error {
  override readonly name: string = 'ProtobufError';
}

/** Receives the fields of a message. A field that the caller does not handle is ignored. */
export interface FieldHandler {
  /** Called with a field of the type int64, uint64 or enum. Values beyond 2^53 are rounded. */
  readonly onNumber?: (field: number, value: number) => void;
  /** Called with a field of the type double. */
  readonly onDouble?: (field: number, value: number) => void;
  /** Called with the range of a string, a byte string or a message in `bytes`. */
  readonly onRange?: (field: number, start: number, end: number) => void;
}

/** Position in a message, advanced by the functions that read from it. */
export interface Cursor {
  at: number;
}

/** Reads the fields of the message in the range [start, end). Throws `ProtobufError` if it is malformed. */
export function readFields(bytes: Uint8Array, start: number, end: number, handler: FieldHandler): void {
  const cursor = { at: start };
  while (cursor.at < end) {
    const tag = readVarint(bytes, cursor, end);
    readField(bytes, cursor, end, tag, handler);
  }
}

function readField(bytes: Uint8Array, cursor: Cursor, end: number, tag: number, handler: FieldHandler): void {
  const field = Math.floor(tag / 8);
  switch (tag % 8) {
    case VARINT:
      handler.onNumber?.(field, readVarint(bytes, cursor, end));
      return;
    case FIXED64:
      handler.onDouble?.(field, readDouble(bytes, skip(cursor, 8, end)));
      return;
    case BYTES: {
      const length = readVarint(bytes, cursor, end);
      const from = skip(cursor, length, end);
      handler.onRange?.(field, from, from + length);
      return;
    }
    case FIXED32:
      skip(cursor, 4, end);
      return;
    default:
      throw new ProtobufError(`unknown wire type ${tag % 8} at byte ${cursor.at}`);
  }
}

/** Advances by `length` bytes. Returns the position before. */
function skip(cursor: Cursor, length: number, end: number): number {
  const from = cursor.at;
  if (length < 0 || from + length > end)
    throw new ProtobufError(`the message ends within a field at byte ${from}`);
  cursor.at += length;
  return from;
}

function readDouble(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 8).getFloat64(0, true);
}

/** 2^64, which a negative int64 is increased by. */
const TWO_64 = 2 ** 64;

/** Reads a varint as a signed 64-bit integer. */
export function readVarint(bytes: Uint8Array, cursor: Cursor, end: number): number {
  let value = 0;
  let factor = 1;
  for (let count = 0; count < 10; count++) {
    if (cursor.at >= end) throw new ProtobufError(`the message ends within a number at byte ${cursor.at}`);
    const byte = bytes[cursor.at++]!;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value >= TWO_64 / 2 ? value - TWO_64 : value;
    factor *= 128;
  }
  throw new ProtobufError(`a number has more than 10 bytes at byte ${cursor.at}`);
}

/** Writes the fields of a message. */
export class MessageWriter {
  readonly #bytes: number[] = [];

  /** Writes a field of the type int64 or enum. `value` must be an integer of at least 0. */
  writeNumber(field: number, value: number): this {
    this.#writeVarint(field * 8 + VARINT);
    this.#writeVarint(value);
    return this;
  }

  /** Writes a field with a string or a message. */
  writeBytes(field: number, content: string | Uint8Array): this {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    this.#writeVarint(field * 8 + BYTES);
    this.#writeVarint(bytes.length);
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  #writeVarint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }
}
