import { ParquetError } from '../error.ts';

/** Maximum compression ratio: a copy of three bytes yields at most 64 bytes. */
const MAX_RATIO = 22;

/**
 * Decompresses a block to `size` bytes. Rejects a size that `input` cannot decompress to before memory is allocated.
 *
 * @throws {ParquetError} if the block is corrupt or does not decompress to exactly `size` bytes
 */
export function snappyUncompress(input: Uint8Array, size: number): Uint8Array {
  let at = 0;
  let statedSize = 0;
  for (let shift = 1; ; shift *= 128) {
    if (at === input.length || at === 5) throw createSnappyError('its length is truncated');
    const byte = input[at++]!;
    statedSize += (byte & 0x7f) * shift;
    if (byte < 0x80) break;
  }
  if (statedSize !== size)
    throw createSnappyError(`it states ${statedSize} bytes, but the page header ${size}`);
  if (size > input.length * MAX_RATIO) {
    throw createSnappyError(`${input.length} bytes cannot decompress to ${size}`);
  }
  const output = new Uint8Array(size);
  if (decompress(input, at, output) !== size) throw createSnappyError(`it has fewer than ${size} bytes`);
  return output;
}

/** Decompresses to `output` and returns the number of bytes written. */
function decompress(input: Uint8Array, from: number, output: Uint8Array): number {
  const end = input.length;
  const size = output.length;
  let at = from;
  let out = 0;
  while (at < end) {
    const tag = input[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      let length = tag >>> 2;
      if (length >= 60) {
        const width = length - 59;
        if (at + width > end) throw createSnappyError('a literal is truncated');
        length = 0;
        for (let i = 0; i < width; i++) length += input[at++]! * 2 ** (8 * i);
      }
      length++;
      if (at + length > end) throw createSnappyError('a literal is truncated');
      if (out + length > size) throw createSnappyError(`it has more than ${size} bytes`);
      if (length < 32) for (let i = 0; i < length; i++) output[out + i] = input[at + i]!;
      else output.set(input.subarray(at, at + length), out);
      at += length;
      out += length;
      continue;
    }
    const width = kind === 3 ? 4 : kind;
    if (at + width > end) throw createSnappyError('a copy is truncated');
    let offset = input[at]!;
    let length = (tag >>> 2) + 1;
    if (kind === 1) {
      offset += (tag >>> 5) << 8;
      length = ((tag >>> 2) & 7) + 4;
    } else {
      offset += input[at + 1]! << 8;
      if (kind === 3) offset += input[at + 2]! * 0x10000 + input[at + 3]! * 0x1000000;
    }
    at += width;
    if (offset === 0 || offset > out) throw createSnappyError('a copy has an offset before the start');
    if (out + length > size) throw createSnappyError(`it has more than ${size} bytes`);
    // An overlapping copy repeats bytes that it has just written, so it is copied byte by byte.
    if (offset >= length && length >= 32) output.copyWithin(out, out - offset, out - offset + length);
    else for (let i = 0; i < length; i++) output[out + i] = output[out - offset + i]!;
    out += length;
  }
  return out;
}

function createSnappyError(reason: string): ParquetError {
  return new ParquetError('page', `cannot decompress a Snappy block: ${reason}`);
}
