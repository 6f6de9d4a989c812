import { type ByteReader, type ByteWriter, ZIGZAG_LIMIT } from './byteStream.ts';
import { CorruptionError } from './format.ts';
import { MAX_DECIMAL_PLACES, SCALES, scaleToInteger, TOKEN } from './frameTokens.ts';

const scratch = new DataView(new ArrayBuffer(16));

/**
 * Writes a token for a double, followed by the low bytes up to the highest one that differs from the previous
 * value or, if it is not longer, by the decimal difference from the previous value. `previous` is NaN if the
 * slot was absent. `value` must not be NaN or identical to `previous`.
 */
export function writeDouble(out: ByteWriter, value: number, previous: number): void {
  scratch.setFloat64(0, value, true);
  scratch.setFloat64(8, Number.isNaN(previous) ? 0 : previous, true);
  const low = scratch.getUint32(0, true) ^ scratch.getUint32(8, true);
  const high = scratch.getUint32(4, true) ^ scratch.getUint32(12, true);
  const count = 8 - (high !== 0 ? countHighZeroBytes(high) : 4 + countHighZeroBytes(low));
  if (writeDecimal(out, value, previous, count)) return;
  out.reserve(9);
  const { bytes } = out;
  let at = out.length;
  bytes[at++] = TOKEN.bits | (count - 1);
  for (let place = 0; place < count; place++)
    bytes[at++] = (place < 4 ? low >>> (8 * place) : high >>> (8 * (place - 4))) & 0xff;
  out.length = at;
}

/**
 * Writes a decimal difference if it is exact and has at most `count` bytes. Returns whether it was written.
 */
function writeDecimal(out: ByteWriter, value: number, previous: number, count: number): boolean {
  if (Object.is(value, -0)) return false; // integers cannot represent -0
  for (let places = 1; places <= MAX_DECIMAL_PLACES; places++) {
    const scale = SCALES[places]!;
    const scaled = Math.round(value * scale);
    if (scaled / scale !== value || !Number.isSafeInteger(scaled)) continue;
    const increment = scaled - scaleToInteger(previous, scale);
    if (!(Math.abs(increment) < Math.min(2 ** (7 * count - 1), ZIGZAG_LIMIT))) return false;
    out.writeByte(TOKEN.decimal + places - 1);
    out.writeZigzag(increment);
    return true;
  }
  return false;
}

/** Reads the double that follows `token`. Throws `CorruptionError` for an invalid token. */
export function readDouble(reader: ByteReader, token: number, previous: number): number {
  return token >= TOKEN.decimal ? readDecimal(reader, token, previous) : readBits(reader, token, previous);
}

function readDecimal(reader: ByteReader, token: number, previous: number): number {
  const scale = SCALES[token - TOKEN.decimal + 1]!;
  return (scaleToInteger(previous, scale) + reader.readZigzag()) / scale;
}

function readBits(reader: ByteReader, token: number, previous: number): number {
  const trailing = (token >> 3) & 7;
  const count = (token & 7) + 1;
  if (trailing + count > 8) throw new CorruptionError(`a frame has an invalid token ${token}`);
  scratch.setFloat64(0, Number.isNaN(previous) ? 0 : previous, true);
  for (let place = trailing; place < trailing + count; place++)
    scratch.setUint8(place, scratch.getUint8(place) ^ reader.readByte());
  return scratch.getFloat64(0, true);
}

/** Returns the number of leading zero bytes of a 32-bit integer. */
function countHighZeroBytes(bits: number): number {
  return Math.clz32(bits) >> 3;
}
