import type { BitReader, BitWriter } from './bitPacking.ts';

/** Maximum number of rows of a column. */
export const MAX_ROWS = 256;

// The encoding of a column, in the lowest bits of its first byte.
const CONSTANT_INTEGER = 0;
const CONSTANT_DOUBLE = 1;
const INTEGERS = 2;
const SPARSE_INTEGERS = 3;
const DOUBLES = 4;
const SPARSE_DOUBLES = 5;
const KIND_MASK = 7;
/** Flag in the first byte: some rows are absent, and one bit per row follows (1 if present). */
const GAPS = 8;
/**
 * Position of the scale in the first byte. The scale is the exponent of the power of ten that turns the
 * values into integers.
 */
const SCALE_SHIFT = 4;

/** Maximum magnitude of integers. Their differences, with a sign bit added, are exact in a double. */
export const MAX_INTEGER: number = 2 ** 51;
const SCALES = Array.from({ length: 10 }, (_, exponent) => 10 ** exponent);

// Scratch buffers, shared because columns are written and read one at a time.
const present = new Float64Array(MAX_ROWS);
const scaled = new Float64Array(MAX_ROWS);
const rowsPresent = new Uint8Array(MAX_ROWS);
/** Low and high words of the doubles in `present`, alternately. */
const words = new Uint32Array(present.buffer);

/**
 * Writes a column of up to 256 values without loss; `NaN` marks absent values.
 *
 * Integers, and decimals such as 0.125 after multiplication by a power of ten, are written as differences
 * between rows, minus the smallest difference, with the width of the largest result in bits. Other doubles
 * are XORed with the previous row (Pelkonen et al. 2015, "Gorilla", section 4.1.2), and only the range of
 * bits that differ in any row is written. If this takes less space because many rows repeat the previous
 * value, one bit per row marks the changes, and only changed rows are written. If all values are equal, only
 * one value is written.
 */
export function writeColumn(values: Float64Array, rows: number, out: BitWriter): void {
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const value = values[row]!;
    const absent = Number.isNaN(value);
    rowsPresent[row] = absent ? 0 : 1;
    if (!absent) present[count++] = value;
  }
  const gaps = count < rows ? GAPS : 0;
  const exponent = findScaleExponent(count);
  if (exponent < 0 || !writeIntegers(count, gaps, exponent, rows, out)) writeDoubles(count, gaps, rows, out);
}

/** Reads `rows` values into `to`, starting at index `at`. */
export function readColumn(from: BitReader, rows: number, to: Float64Array, at: number): void {
  const head = from.byte();
  let count = rows;
  if ((head & GAPS) !== 0) {
    count = 0;
    for (let row = 0; row < rows; row++) {
      rowsPresent[row] = from.bits(1);
      count += rowsPresent[row]!;
    }
    from.align();
  }
  if ((head & GAPS) === 0) readPresent(from, head, count, to, at);
  else {
    readPresent(from, head, count, present, 0);
    for (let row = 0, next = 0; row < rows; row++) {
      to[at + row] = rowsPresent[row] === 1 ? present[next++]! : Number.NaN;
    }
  }
}

/**
 * Returns the smallest exponent of a power of ten that turns all present values into integers without loss;
 * -1 if there is none.
 */
function findScaleExponent(count: number): number {
  for (let exponent = 0; exponent < SCALES.length; exponent++) {
    if (isLossless(SCALES[exponent]!, count)) return exponent;
  }
  return -1;
}

function isLossless(scale: number, count: number): boolean {
  for (let at = 0; at < count; at++) {
    const value = present[at]!;
    const rounded = Math.round(value * scale);
    // -0 would be read back as 0.
    if (rounded / scale !== value || !(Math.abs(rounded) <= MAX_INTEGER) || Object.is(value, -0))
      return false;
    scaled[at] = rounded;
  }
  return true;
}

/** Writes the scaled values as integers. Returns false without writing if the range of differences exceeds 32 bits. */
function writeIntegers(count: number, gaps: number, exponent: number, rows: number, out: BitWriter): boolean {
  let minChange = Infinity;
  let maxChange = -Infinity;
  let changes = 0;
  for (let at = 1; at < count; at++) {
    const difference = scaled[at]! - scaled[at - 1]!;
    if (difference === 0) continue;
    changes++;
    if (difference < minChange) minChange = difference;
    if (difference > maxChange) maxChange = difference;
  }
  const hasRepeats = changes < count - 1;
  const min = hasRepeats ? Math.min(0, minChange) : minChange;
  const max = hasRepeats ? Math.max(0, maxChange) : maxChange;
  if (max - min > 0xffffffff) return false;
  const width = countBits(max - min);
  const sparseWidth = countBits(maxChange - minChange);
  const isSparse = changes * sparseWidth + count - 1 < (count - 1) * width;
  const kind = changes === 0 ? CONSTANT_INTEGER : isSparse ? SPARSE_INTEGERS : INTEGERS;
  writeHead(kind | gaps | (exponent << SCALE_SHIFT), gaps, rows, out);
  out.integer(scaled[0]!);
  if (kind === INTEGERS) {
    out.integer(min);
    out.byte(width);
    for (let at = 1; at < count; at++) out.bits(scaled[at]! - scaled[at - 1]! - min, width);
    out.align();
  } else if (kind === SPARSE_INTEGERS) {
    out.integer(minChange);
    out.byte(sparseWidth);
    for (let at = 1; at < count; at++) {
      const difference = scaled[at]! - scaled[at - 1]!;
      out.bits(difference === 0 ? 0 : 1, 1);
      if (difference !== 0) out.bits(difference - minChange, sparseWidth);
    }
    out.align();
  }
  return true;
}

function writeDoubles(count: number, gaps: number, rows: number, out: BitWriter): void {
  let lows = 0;
  let highs = 0;
  let changes = 0;
  for (let at = 2; at < 2 * count; at += 2) {
    const low = words[at]! ^ words[at - 2]!;
    const high = words[at + 1]! ^ words[at - 1]!;
    lows |= low;
    highs |= high;
    if ((low | high) !== 0) changes++;
  }
  const lowShift = countTrailingZeros(lows);
  const highShift = countTrailingZeros(highs);
  const lowWidth = 32 - Math.clz32(lows >>> lowShift);
  const highWidth = 32 - Math.clz32(highs >>> highShift);
  const width = lowWidth + highWidth;
  const isSparse = changes * width + count - 1 < (count - 1) * width;
  const kind = changes === 0 ? CONSTANT_DOUBLE : isSparse ? SPARSE_DOUBLES : DOUBLES;
  writeHead(kind | gaps, gaps, rows, out);
  out.double(present[0]!);
  if (kind === CONSTANT_DOUBLE) return;
  for (const byte of [lowShift, lowWidth, highShift, highWidth]) out.byte(byte);
  for (let at = 2; at < 2 * count; at += 2) {
    const low = words[at]! ^ words[at - 2]!;
    const high = words[at + 1]! ^ words[at - 1]!;
    if (isSparse) out.bits((low | high) === 0 ? 0 : 1, 1);
    if (isSparse && (low | high) === 0) continue;
    out.bits(low >>> lowShift, lowWidth);
    out.bits(high >>> highShift, highWidth);
  }
  out.align();
}

function writeHead(head: number, gaps: number, rows: number, out: BitWriter): void {
  out.byte(head);
  if (gaps === 0) return;
  for (let row = 0; row < rows; row++) out.bits(rowsPresent[row]!, 1);
  out.align();
}

function readPresent(from: BitReader, head: number, count: number, to: Float64Array, at: number): void {
  const kind = head & KIND_MASK;
  if (kind === DOUBLES || kind === SPARSE_DOUBLES) readDoubles(from, kind === SPARSE_DOUBLES, count, to, at);
  else if (kind === CONSTANT_DOUBLE) to.fill(from.double(), at, at + count);
  else readIntegers(from, kind, SCALES[head >>> SCALE_SHIFT]!, count, to, at);
}

function readIntegers(
  from: BitReader,
  kind: number,
  scale: number,
  count: number,
  to: Float64Array,
  at: number,
): void {
  let value = from.integer();
  to[at] = value / scale;
  if (kind === CONSTANT_INTEGER) {
    to.fill(value / scale, at, at + count);
    return;
  }
  const min = from.integer();
  const width = from.byte();
  for (let row = 1; row < count; row++) {
    if (kind === INTEGERS || from.bits(1) === 1) value += min + from.bits(width);
    to[at + row] = value / scale;
  }
  from.align();
}

const currentDouble = new Float64Array(1);
const currentWords = new Uint32Array(currentDouble.buffer);

function readDoubles(from: BitReader, isSparse: boolean, count: number, to: Float64Array, at: number): void {
  currentDouble[0] = from.double();
  to[at] = currentDouble[0];
  const lowShift = from.byte();
  const lowWidth = from.byte();
  const highShift = from.byte();
  const highWidth = from.byte();
  for (let row = 1; row < count; row++) {
    if (!isSparse || from.bits(1) === 1) {
      currentWords[0]! ^= from.bits(lowWidth) << lowShift;
      currentWords[1]! ^= from.bits(highWidth) << highShift;
    }
    to[at + row] = currentDouble[0];
  }
  from.align();
}

/** Returns the number of significant bits of an integer from 0 to 2^32 - 1. */
function countBits(value: number): number {
  return value > 0 ? 32 - Math.clz32(value) : 0;
}

function countTrailingZeros(word: number): number {
  return word === 0 ? 0 : 31 - Math.clz32(word & -word);
}
