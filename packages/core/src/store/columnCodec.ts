import type { PackReader, PackWriter } from './bitPacking.ts';

/** The most rows that one column code holds. */
export const MOST_ROWS = 256;

/** How the values of a column are written; the lowest bits of its first byte. */
const CONSTANT_INTEGER = 0;
const CONSTANT_DOUBLE = 1;
const INTEGERS = 2;
const SPARSE_INTEGERS = 3;
const DOUBLES = 4;
const SPARSE_DOUBLES = 5;
const KIND = 7;
/** Set when some rows are absent: a bit per row follows. */
const GAPS = 8;
/** Above these: the power of ten that makes the values integers. */
const SCALE_SHIFT = 4;

/** Integers up to this size have differences, and these a sign bit, that are exact in a double. */
export const MOST_INTEGER: number = 2 ** 51;
const SCALES = Array.from({ length: 10 }, (_, power) => 10 ** power);

// Work space: columns are written and read one at a time.
const present = new Float64Array(MOST_ROWS);
const scaled = new Float64Array(MOST_ROWS);
const rowsPresent = new Uint8Array(MOST_ROWS);
const words = new Uint32Array(present.buffer);

/**
 * Writes a column of up to 256 values, `NaN` for an absent one, so that every value comes back bit by bit (and an
 * absent one as an absent one).
 *
 * Integers, and decimals such as 0.125 by way of a power of ten, are the differences from row to row, less the least
 * of them, in as many bits as the largest takes. Other doubles are XORed with the row before (Pelkonen et al. 2015,
 * "Gorilla", section 4.1.2), in the bits that any of them changes. Where most rows repeat the one before, a bit per row
 * says so, and only the others are written.
 */
export function writeColumn(values: Float64Array, rows: number, out: PackWriter): void {
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const value = values[row]!;
    const absent = Number.isNaN(value);
    rowsPresent[row] = absent ? 0 : 1;
    if (!absent) present[count++] = value;
  }
  const gaps = count < rows ? GAPS : 0;
  const power = scaleOf(count);
  if (power < 0 || !writeIntegers(count, gaps, power, rows, out)) writeDoubles(count, gaps, rows, out);
}

/** Reads `rows` values into `to`, from a position on. */
export function readColumn(from: PackReader, rows: number, to: Float64Array, at: number): void {
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

/** The smallest power of ten that makes all present values integers that come back as they were; -1 for none. */
function scaleOf(count: number): number {
  for (let power = 0; power < SCALES.length; power++) {
    if (isScale(SCALES[power]!, count)) return power;
  }
  return -1;
}

function isScale(scale: number, count: number): boolean {
  for (let at = 0; at < count; at++) {
    const value = present[at]!;
    const whole = Math.round(value * scale);
    // -0 is the one value that comes back equal but not the same.
    if (whole / scale !== value || !(Math.abs(whole) <= MOST_INTEGER) || Object.is(value, -0)) return false;
    scaled[at] = whole;
  }
  return true;
}

/** False, with nothing written, when the differences are too far apart. */
function writeIntegers(count: number, gaps: number, power: number, rows: number, out: PackWriter): boolean {
  let leastOther = Infinity;
  let mostOther = -Infinity;
  let others = 0;
  for (let at = 1; at < count; at++) {
    const difference = scaled[at]! - scaled[at - 1]!;
    if (difference === 0) continue;
    others++;
    if (difference < leastOther) leastOther = difference;
    if (difference > mostOther) mostOther = difference;
  }
  const repeats = others < count - 1;
  const least = repeats ? Math.min(0, leastOther) : leastOther;
  const most = repeats ? Math.max(0, mostOther) : mostOther;
  if (most - least > 0xffffffff) return false;
  const width = bitLength(most - least);
  const sparseWidth = bitLength(mostOther - leastOther);
  const isSparse = others * sparseWidth + count - 1 < (count - 1) * width;
  const kind = others === 0 ? CONSTANT_INTEGER : isSparse ? SPARSE_INTEGERS : INTEGERS;
  writeHead(kind | gaps | (power << SCALE_SHIFT), gaps, rows, out);
  out.integer(scaled[0]!);
  if (kind === INTEGERS) {
    out.integer(least);
    out.byte(width);
    for (let at = 1; at < count; at++) out.bits(scaled[at]! - scaled[at - 1]! - least, width);
    out.align();
  } else if (kind === SPARSE_INTEGERS) {
    out.integer(leastOther);
    out.byte(sparseWidth);
    for (let at = 1; at < count; at++) {
      const difference = scaled[at]! - scaled[at - 1]!;
      out.bits(difference === 0 ? 0 : 1, 1);
      if (difference !== 0) out.bits(difference - leastOther, sparseWidth);
    }
    out.align();
  }
  return true;
}

function writeDoubles(count: number, gaps: number, rows: number, out: PackWriter): void {
  let lows = 0;
  let highs = 0;
  let others = 0;
  for (let at = 2; at < 2 * count; at += 2) {
    const low = words[at]! ^ words[at - 2]!;
    const high = words[at + 1]! ^ words[at - 1]!;
    lows |= low;
    highs |= high;
    if ((low | high) !== 0) others++;
  }
  const lowShift = trailingZeros(lows);
  const highShift = trailingZeros(highs);
  const lowWidth = 32 - Math.clz32(lows >>> lowShift);
  const highWidth = 32 - Math.clz32(highs >>> highShift);
  const width = lowWidth + highWidth;
  const isSparse = others * width + count - 1 < (count - 1) * width;
  const kind = others === 0 ? CONSTANT_DOUBLE : isSparse ? SPARSE_DOUBLES : DOUBLES;
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

function writeHead(head: number, gaps: number, rows: number, out: PackWriter): void {
  out.byte(head);
  if (gaps === 0) return;
  for (let row = 0; row < rows; row++) out.bits(rowsPresent[row]!, 1);
  out.align();
}

function readPresent(from: PackReader, head: number, count: number, to: Float64Array, at: number): void {
  const kind = head & KIND;
  if (kind === DOUBLES || kind === SPARSE_DOUBLES) readDoubles(from, kind === SPARSE_DOUBLES, count, to, at);
  else if (kind === CONSTANT_DOUBLE) to.fill(from.double(), at, at + count);
  else readIntegers(from, kind, SCALES[head >>> SCALE_SHIFT]!, count, to, at);
}

function readIntegers(
  from: PackReader,
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
  const least = from.integer();
  const width = from.byte();
  for (let row = 1; row < count; row++) {
    if (kind === INTEGERS || from.bits(1) === 1) value += least + from.bits(width);
    to[at + row] = value / scale;
  }
  from.align();
}

const pair = new Float64Array(1);
const pairWords = new Uint32Array(pair.buffer);

function readDoubles(from: PackReader, isSparse: boolean, count: number, to: Float64Array, at: number): void {
  pair[0] = from.double();
  to[at] = pair[0];
  const lowShift = from.byte();
  const lowWidth = from.byte();
  const highShift = from.byte();
  const highWidth = from.byte();
  for (let row = 1; row < count; row++) {
    if (!isSparse || from.bits(1) === 1) {
      pairWords[0]! ^= from.bits(lowWidth) << lowShift;
      pairWords[1]! ^= from.bits(highWidth) << highShift;
    }
    to[at + row] = pair[0];
  }
  from.align();
}

/** How many bits an integer from 0 to 2^32 - 1 takes. */
function bitLength(value: number): number {
  return value > 0 ? 32 - Math.clz32(value) : 0;
}

function trailingZeros(word: number): number {
  return word === 0 ? 0 : 31 - Math.clz32(word & -word);
}
