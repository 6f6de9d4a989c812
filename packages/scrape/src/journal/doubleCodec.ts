import type { ByteReader, ByteWriter } from './byteStream.ts';
import { ZIGZAG_LIMIT } from './byteStream.ts';
import { CorruptionError } from './errors.ts';
import { MAX_DECIMAL_PLACES, SCALES, scaleToInteger, TOKEN } from './frameTokens.ts';

const scratch = new DataView(new ArrayBuffer(16));

/**
 * Writes one double as a token of its own: the bytes in which it differs from the previous value, or, where that is shorter, the
 * difference of two decimals. The previous value may be absent; the new one may not.
 */
export function writeDouble(out: ByteWriter, value: number, previous: number): void {
  scratch.setFloat64(0, value, true);
  scratch.setFloat64(8, Number.isNaN(previous) ? 0 : previous, true);
  const low = scratch.getUint32(0, true) ^ scratch.getUint32(8, true);
  const high = scratch.getUint32(4, true) ^ scratch.getUint32(12, true);
  const trailing = low !== 0 ? zeroBytesBelow(low) : 4 + zeroBytesBelow(high);
  const leading = high !== 0 ? zeroBytesAbove(high) : 4 + zeroBytesAbove(low);
  const count = 8 - trailing - leading;
  if (writeDecimal(out, value, previous, count)) return;
  out.reserve(9);
  const { bytes } = out;
  let at = out.length;
  bytes[at++] = TOKEN.bits | (trailing << 3) | (count - 1);
  for (let place = trailing; place < trailing + count; place++)
    bytes[at++] = (place < 4 ? low >>> (8 * place) : high >>> (8 * (place - 4))) & 0xff;
  out.length = at;
}

/** Only where it is exact and takes at most `count` bytes. */
function writeDecimal(out: ByteWriter, value: number, previous: number, count: number): boolean {
  if (Object.is(value, -0)) return false; // an integer has no -0
  for (let places = 1; places <= MAX_DECIMAL_PLACES; places++) {
    const scale = SCALES[places]!;
    const scaled = Math.round(value * scale);
    if (scaled / scale !== value || !Number.isSafeInteger(scaled)) continue;
    const increment = scaled - scaleToInteger(previous, scale);
    if (!(Math.abs(increment) < Math.min(2 ** (7 * count - 1), ZIGZAG_LIMIT))) return false;
    out.byte(TOKEN.decimal + places - 1);
    out.zigzag(increment);
    return true;
  }
  return false;
}

/** Reads the double of a token; throws `CorruptionError` for a token that no writer writes. */
export function readDouble(reader: ByteReader, token: number, previous: number): number {
  return token >= TOKEN.decimal ? readDecimal(reader, token, previous) : readBits(reader, token, previous);
}

function readDecimal(reader: ByteReader, token: number, previous: number): number {
  const scale = SCALES[token - TOKEN.decimal + 1]!;
  return (scaleToInteger(previous, scale) + reader.zigzag()) / scale;
}

function readBits(reader: ByteReader, token: number, previous: number): number {
  const trailing = (token >> 3) & 7;
  const count = (token & 7) + 1;
  if (trailing + count > 8) throw new CorruptionError(`a frame has the unknown token ${token}`);
  scratch.setFloat64(0, Number.isNaN(previous) ? 0 : previous, true);
  for (let place = trailing; place < trailing + count; place++)
    scratch.setUint8(place, scratch.getUint8(place) ^ reader.byte());
  return scratch.getFloat64(0, true);
}

/** How many of the lowest bytes of 32 bits that are not all 0 are 0. */
function zeroBytesBelow(bits: number): number {
  return (31 - Math.clz32(bits & -bits)) >> 3;
}

/** How many of the highest bytes of 32 bits that are not all 0 are 0. */
function zeroBytesAbove(bits: number): number {
  return Math.clz32(bits) >> 3;
}
