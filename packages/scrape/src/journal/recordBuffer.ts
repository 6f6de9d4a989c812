import { crc32 } from 'node:zlib';
import { ByteWriter } from './byteStream.ts';
import { MAX_PAYLOAD_BYTES } from './format.ts';

/** Bytes before a payload, at most: checksum, and its length as a varint. */
const MAX_HEAD_BYTES = 9;

/** Where records are put together, one after the other, in memory that is used again. */
export class RecordBuffer {
  readonly #out = new ByteWriter();

  /** Begins a record; its content is written to what is returned. */
  begin(kind: number): ByteWriter {
    const out = this.#out;
    out.length = 0;
    out.reserve(MAX_HEAD_BYTES);
    out.length = MAX_HEAD_BYTES;
    out.byte(kind);
    return out;
  }

  /**
   * The record that was begun, with its head, ready for a file; valid until the next one is begun. Throws a RangeError for
   * one that is too large for a journal.
   */
  seal(): Uint8Array {
    const { bytes, length } = this.#out;
    const size = length - MAX_HEAD_BYTES;
    if (size > MAX_PAYLOAD_BYTES)
      throw new RangeError(`cannot journal a record of ${size} bytes: ${MAX_PAYLOAD_BYTES} are accepted`);
    let digits = 1;
    while (size >= 2 ** (7 * digits)) digits++;
    const start = MAX_HEAD_BYTES - digits - 4;
    for (let digit = 0; digit < digits; digit++)
      bytes[start + 4 + digit] = ((size >>> (7 * digit)) & 0x7f) | (digit < digits - 1 ? 0x80 : 0);
    const checksum = crc32(bytes.subarray(start + 4, length));
    for (let place = 0; place < 4; place++) bytes[start + place] = checksum >>> (8 * place);
    return bytes.subarray(start, length);
  }
}
