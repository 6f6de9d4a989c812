/** The smallest and largest value of a column chunk as PLAIN bytes, in the order that its type defines. */
export interface Bounds {
  readonly min: Buffer;
  readonly max: Buffer;
}

/** Longer strings would bloat the footer and help no reader to skip. */
const LONGEST_TEXT = 256;

/** Bounds of strings, ordered as unsigned bytes; none when there is no value or one is too long to repeat. */
export function textBounds(texts: readonly Buffer[]): Bounds | undefined {
  let min = texts[0];
  let max = texts[0];
  if (!min || !max) return undefined;
  for (const text of texts) {
    if (Buffer.compare(text, min) < 0) min = text;
    if (Buffer.compare(text, max) > 0) max = text;
  }
  return Math.max(min.length, max.length) > LONGEST_TEXT ? undefined : { min, max };
}

/** Bounds of int64 values, given as low and high words. */
export function int64Bounds(words: Int32Array): Bounds | undefined {
  if (words.length === 0) return undefined;
  const values = new BigInt64Array(words.buffer, words.byteOffset, words.length / 2);
  let min = values[0]!;
  let max = min;
  for (const value of values) {
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  return { min: int64Bytes(min), max: int64Bytes(max) };
}

/**
 * Bounds of finite doubles, given as low and high words. A zero is written as -0 when it is the smallest and as +0 when
 * it is the largest, whatever its sign (parquet.thrift, ColumnOrder), so that a reader that tells them apart skips nothing.
 */
export function doubleBounds(words: Int32Array): Bounds | undefined {
  if (words.length === 0) return undefined;
  const values = new Float64Array(words.buffer, words.byteOffset, words.length / 2);
  let min = values[0]!;
  let max = min;
  for (const value of values) {
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  return { min: doubleBytes(min === 0 ? -0 : min), max: doubleBytes(max === 0 ? 0 : max) };
}

function int64Bytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

function doubleBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
