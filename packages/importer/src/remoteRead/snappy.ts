import { snappyUncompress } from 'hyparquet';
import { ProtobufError, readVarint } from './protobuf.ts';

/** Maximum length of one literal, in bytes. */
const MAX_LITERAL = 60;

/**
 * Encodes bytes in the block format of snappy, without compressing them
 * (https://github.com/google/snappy/blob/main/format_description.txt). Requests of remote read are short.
 */
export function encodeSnappy(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let rest = bytes.length; ; rest = rest >>> 7) {
    if (rest < 128) {
      out.push(rest);
      break;
    }
    out.push((rest & 0x7f) | 0x80);
  }
  for (let from = 0; from < bytes.length; from += MAX_LITERAL) {
    const literal = bytes.subarray(from, from + MAX_LITERAL);
    out.push((literal.length - 1) << 2, ...literal);
  }
  return Uint8Array.from(out);
}

/** Decodes the block format of snappy. Throws `ProtobufError` if the bytes are malformed or larger than `maxBytes`. */
export function decodeSnappy(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const length = readVarint(bytes, { at: 0 }, Math.min(bytes.length, 5));
  if (length > maxBytes)
    throw new ProtobufError(`the response has ${length} bytes after decompression; the limit is ${maxBytes}`);
  const out = new Uint8Array(length);
  try {
    snappyUncompress(bytes, out);
  } catch (error) {
    throw new ProtobufError(`the response is not valid snappy: ${(error as Error).message}`);
  }
  return out;
}
