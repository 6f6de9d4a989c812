import { crc32 } from 'node:zlib';

/** The polynomial of CRC-32, bit-reversed. */
const POLYNOMIAL = 0xed_b8_83_20;

/** The effect of each byte on the checksum. */
const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** The byte whose entry in `TABLE` has a given highest byte. Each highest byte occurs once. */
const BYTE_BY_HIGHEST: Uint8Array = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) BYTE_BY_HIGHEST[TABLE[byte]! >>> 24] = byte;

/**
 * Maximum size of repaired data, in bytes. If more than one byte is wrong, the probability that a wrong repair
 * matches the checksum is 255 × size / 2^32: 6% for this size, and 0.006% for a typical scrape of 1 KB.
 */
const MAX_REPAIRED_BYTES = 1 << 20;

/**
 * Corrects one wrong byte in data with a CRC-32, or in the checksum. The checksum of two versions of the data
 * that differ in one byte differs by a value that depends only on the position and the change of the byte.
 * Returns a corrected copy; undefined if no single byte, or more than one, explains the difference.
 */
export function repairByte(data: Uint8Array, checksum: number, seed: number): Uint8Array | undefined {
  if (data.length > MAX_REPAIRED_BYTES) return undefined;
  let difference = (crc32(data, seed) ^ checksum) >>> 0;
  let repaired = isSingleByte(difference) ? data.slice() : undefined;
  for (let at = data.length - 1; at >= 0; at--) {
    difference = stepBack(difference);
    if (difference > 0xff) continue;
    if (repaired) return undefined;
    repaired = data.slice();
    repaired[at]! ^= difference;
  }
  return repaired;
}

/** Returns the difference of the checksums before the last byte of the data. */
function stepBack(difference: number): number {
  const byte = BYTE_BY_HIGHEST[difference >>> 24]!;
  return (((difference ^ TABLE[byte]!) << 8) | byte) >>> 0;
}

/** Reports whether exactly one of the four bytes of the checksum is wrong. */
function isSingleByte(difference: number): boolean {
  return [0, 8, 16, 24].some(shift => difference !== 0 && (difference & ~(0xff << shift)) === 0);
}
