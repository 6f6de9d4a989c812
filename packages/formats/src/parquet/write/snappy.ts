import type { ByteSink } from '../bytes.ts';

/** Matches are found in a table of 2^14 positions (64 KiB), which fits into the L2 cache. */
const TABLE_BITS = 14;
const table = new Int32Array(1 << TABLE_BITS);
/** Number of bytes at the end of the input where no match starts, so that four bytes can be read at every position. */
const MARGIN = 15;
/**
 * Copies with a larger offset take five bytes instead of three, so they need a match of at least
 * `MIN_FAR_MATCH` bytes.
 */
const MAX_NEAR_OFFSET = 0xffff;
const MIN_FAR_MATCH = 16;

/**
 * Compresses `input` in Snappy's raw format (google/snappy, format_description.txt) and appends it to `sink`.
 *
 * The reference encoder compresses blocks of 64 KiB separately. This encoder lets copies refer to the whole
 * input, because a column repeats over the length of a series, which is often longer.
 */
export function snappyCompress(input: Uint8Array, sink: ByteSink): void {
  const size = input.length;
  sink.writeVarint(size);
  sink.reserve(32 + size + Math.ceil(size / 6));
  if (size < MARGIN + 4) {
    writeLiteral(input, 0, size, sink);
    return;
  }
  const view = new DataView(input.buffer, input.byteOffset, size);
  const limit = size - MARGIN;
  table.fill(-1);
  let literal = 0;
  let at = 0;
  let misses = 32;
  while (at < limit) {
    const word = view.getInt32(at, true);
    const slot = Math.imul(word, 0x1e35a7bd) >>> (32 - TABLE_BITS);
    const candidate = table[slot]!;
    table[slot] = at;
    if (candidate < 0 || view.getInt32(candidate, true) !== word) {
      // The step grows with each miss, so that incompressible data is skipped quickly.
      at += misses++ >>> 5;
      continue;
    }
    const length = measureMatch(view, candidate + 4, at + 4, size) + 4;
    const offset = at - candidate;
    if (offset > MAX_NEAR_OFFSET && length < MIN_FAR_MATCH) {
      at += misses++ >>> 5;
      continue;
    }
    if (at > literal) writeLiteral(input, literal, at, sink);
    writeCopy(sink, offset, length);
    at += length;
    literal = at;
    misses = 32;
    if (at < limit) table[hashAt(view, at - 1)] = at - 1;
  }
  if (literal < size) writeLiteral(input, literal, size, sink);
}

function hashAt(view: DataView, at: number): number {
  return Math.imul(view.getInt32(at, true), 0x1e35a7bd) >>> (32 - TABLE_BITS);
}

function measureMatch(view: DataView, candidate: number, from: number, end: number): number {
  let at = from;
  let back = candidate;
  while (at + 4 <= end && view.getInt32(at, true) === view.getInt32(back, true)) {
    at += 4;
    back += 4;
  }
  while (at < end && view.getUint8(at) === view.getUint8(back)) {
    at++;
    back++;
  }
  return at - from;
}

function writeLiteral(input: Uint8Array, from: number, to: number, sink: ByteSink): void {
  const length = to - from;
  if (length === 0) return;
  const bytes = sink.bytes;
  const last = length - 1;
  let at = sink.length;
  if (last < 60) {
    bytes[at++] = last << 2;
  } else {
    const width = last < 0x100 ? 1 : last < 0x10000 ? 2 : last < 0x1000000 ? 3 : 4;
    bytes[at++] = (59 + width) << 2;
    for (let i = 0; i < width; i++) bytes[at++] = (last >>> (8 * i)) & 0xff;
  }
  if (length < 32) {
    for (let i = from; i < to; i++) bytes[at++] = input[i]!;
    sink.length = at;
  } else {
    bytes.set(input.subarray(from, to), at);
    sink.length = at + length;
  }
}

function writeCopy(sink: ByteSink, offset: number, length: number): void {
  let remaining = length;
  // A copy covers at most 64 bytes. The last copy must cover at least four, the minimum of the short form.
  while (remaining >= 68) {
    writeCopyPart(sink, offset, 64);
    remaining -= 64;
  }
  if (remaining > 64) {
    writeCopyPart(sink, offset, 60);
    remaining -= 60;
  }
  writeCopyPart(sink, offset, remaining);
}

function writeCopyPart(sink: ByteSink, offset: number, length: number): void {
  const bytes = sink.bytes;
  let at = sink.length;
  if (length < 12 && offset < 2048) {
    bytes[at++] = 1 + ((length - 4) << 2) + ((offset >>> 8) << 5);
    bytes[at++] = offset & 0xff;
  } else {
    const isNear = offset <= MAX_NEAR_OFFSET;
    bytes[at++] = (isNear ? 2 : 3) + ((length - 1) << 2);
    bytes[at++] = offset & 0xff;
    bytes[at++] = (offset >>> 8) & 0xff;
    if (!isNear) {
      bytes[at++] = (offset >>> 16) & 0xff;
      bytes[at++] = offset >>> 24;
    }
  }
  sink.length = at;
}
