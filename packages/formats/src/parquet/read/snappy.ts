import { ParquetError } from '../error.ts';

/** A copy of three bytes gives 64 at most, so that no honest block grows by more. */
const MAX_GROWTH = 22;

/**
 * Unpacks a block of `size` bytes.
 *
 * @throws {ParquetError} when the block does not unpack to exactly `size` bytes; memory is taken only for sizes that
 * `input` can really grow to
 */
export function snappyUncompress(input: Uint8Array, size: number): Uint8Array {
  let at = 0;
  let claimed = 0;
  for (let shift = 1; ; shift *= 128) {
    if (at === input.length || at === 5) throw broken('its length is cut off');
    const byte = input[at++]!;
    claimed += (byte & 0x7f) * shift;
    if (byte < 0x80) break;
  }
  if (claimed !== size) throw broken(`it says ${claimed} bytes where the page says ${size}`);
  if (size > input.length * MAX_GROWTH) {
    throw broken(`${input.length} bytes cannot grow to ${size}`);
  }
  const output = new Uint8Array(size);
  if (unpack(input, at, output) !== size) throw broken(`it ends before its ${size} bytes`);
  return output;
}

/** Returns how many bytes were written. */
function unpack(input: Uint8Array, from: number, output: Uint8Array): number {
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
        if (at + width > end) throw broken('a literal is cut off');
        length = 0;
        for (let i = 0; i < width; i++) length += input[at++]! * 2 ** (8 * i);
      }
      length++;
      if (at + length > end) throw broken('a literal is cut off');
      if (out + length > size) throw broken(`it is longer than its ${size} bytes`);
      if (length < 32) for (let i = 0; i < length; i++) output[out + i] = input[at + i]!;
      else output.set(input.subarray(at, at + length), out);
      at += length;
      out += length;
      continue;
    }
    const width = kind === 3 ? 4 : kind;
    if (at + width > end) throw broken('a copy is cut off');
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
    if (offset === 0 || offset > out) throw broken('a copy reaches back before its beginning');
    if (out + length > size) throw broken(`it is longer than its ${size} bytes`);
    // A copy may overlap itself and then repeats what it has just written, so that it goes byte by byte.
    if (offset >= length && length >= 32) output.copyWithin(out, out - offset, out - offset + length);
    else for (let i = 0; i < length; i++) output[out + i] = output[out - offset + i]!;
    out += length;
  }
  return out;
}

function broken(reason: string): ParquetError {
  return new ParquetError('page', `cannot unpack a Snappy block: ${reason}`);
}
