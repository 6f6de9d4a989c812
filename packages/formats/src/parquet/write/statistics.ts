/** Minimum and maximum of a column chunk as PLAIN bytes, in the sort order of its type. */
export interface Bounds {
  readonly min: Buffer;
  readonly max: Buffer;
}

/**
 * Maximum length of a string bound in bytes. Longer bounds would enlarge the footer without helping readers
 * to skip row groups.
 */
const MAX_TEXT_BYTES = 256;

/**
 * Returns the bounds of strings, compared as unsigned bytes; undefined if there are no strings or a bound is
 * too long.
 */
export function findTextBounds(texts: readonly Buffer[]): Bounds | undefined {
  let min = texts[0];
  let max = texts[0];
  if (!min || !max) return undefined;
  for (const text of texts) {
    if (Buffer.compare(text, min) < 0) min = text;
    if (Buffer.compare(text, max) > 0) max = text;
  }
  return Math.max(min.length, max.length) > MAX_TEXT_BYTES ? undefined : { min, max };
}

/** Returns the bounds of int64 values, given as low and high words. */
export function findInt64Bounds(words: Int32Array): Bounds | undefined {
  if (words.length === 0) return undefined;
  const values = new BigInt64Array(words.buffer, words.byteOffset, words.length / 2);
  let min = values[0]!;
  let max = min;
  for (const value of values) {
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  return { min: encodeInt64(min), max: encodeInt64(max) };
}

/**
 * Returns the bounds of finite doubles, given as low and high words. A minimum of zero is written as -0 and a
 * maximum of zero as +0, regardless of the sign (parquet.thrift, ColumnOrder), so that readers that
 * distinguish -0 and +0 skip no matching rows.
 */
export function findDoubleBounds(words: Int32Array): Bounds | undefined {
  if (words.length === 0) return undefined;
  const values = new Float64Array(words.buffer, words.byteOffset, words.length / 2);
  let min = values[0]!;
  let max = min;
  for (const value of values) {
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  return { min: encodeDouble(min === 0 ? -0 : min), max: encodeDouble(max === 0 ? 0 : max) };
}

function encodeInt64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

function encodeDouble(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
