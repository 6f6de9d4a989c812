import { crc32 } from 'node:zlib';
import { ByteWriter } from './byteStream.ts';
import { MAX_PAYLOAD_BYTES, SEEDS, VERSION } from './format.ts';

/** Maximum size of a record head, in bytes: a checksum, and the payload length as a varint. */
const MAX_HEAD_BYTES = 9;

/** Assembles records one at a time. Its memory is reused for the next record. */
export class RecordBuffer {
  readonly #out = new ByteWriter();

  /** Starts a record of a kind. Returns the writer for its payload. */
  begin(kind: number): ByteWriter {
    const out = this.#out;
    out.length = 0;
    out.reserve(MAX_HEAD_BYTES);
    out.length = MAX_HEAD_BYTES;
    out.writeByte(kind);
    return out;
  }

  /**
   * Completes the record. Returns its bytes, which are valid until the next record is started. Throws a
   * RangeError if the payload is too large.
   */
  seal(): Uint8Array {
    const { bytes, length } = this.#out;
    const size = length - MAX_HEAD_BYTES;
    if (size > MAX_PAYLOAD_BYTES)
      throw new RangeError(
        `cannot write a journal record of ${size} bytes: the limit is ${MAX_PAYLOAD_BYTES}`,
      );
    let digits = 1;
    while (size >= 2 ** (7 * digits)) digits++;
    const start = MAX_HEAD_BYTES - digits - 4;
    for (let digit = 0; digit < digits; digit++)
      bytes[start + 4 + digit] = ((size >>> (7 * digit)) & 0x7f) | (digit < digits - 1 ? 0x80 : 0);
    const checksum = crc32(bytes.subarray(start + 4, length), SEEDS[VERSION]!);
    for (let place = 0; place < 4; place++) bytes[start + place] = checksum >>> (8 * place);
    return bytes.subarray(start, length);
  }
}
