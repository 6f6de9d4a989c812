import type { SampleBuffer } from '../sampleBuffer.ts';

/** Thrown for a chunk that is malformed. */
export class ChunkError extends Error {
  override readonly name: string = 'ChunkError';
}

/** The bits of the NaN that marks the end of a series (`StaleNaN` of Prometheus). */
const STALE_HIGH = 0x7ff00000;
const STALE_LOW = 2;

/** Sizes in bits of the changes of the interval between samples, by the length of their prefix. */
const DELTA_BITS = [0, 14, 17, 20, 64] as const;

const bits = new Uint32Array(2);
const float = new Float64Array(bits.buffer);

/** A copy of the current chunk, followed by zeros so that reads beyond its end are defined. */
let bytes = new Uint8Array(4096);
/** Position of the next bit in `bytes`. */
let at = 0;

/** Returns the number of samples in a chunk, which is in its first two bytes. */
export function countChunkSamples(chunk: Uint8Array): number {
  return chunk.length < 2 ? 0 : (chunk[0]! << 8) | chunk[1]!;
}

/**
 * Decodes a chunk with XOR encoding as Prometheus stores it (tsdb/chunkenc/xor.go), and appends its samples in the time
 * range [fromMs, toMs) to `out`. A marker of the end of a series becomes NaN. Throws `ChunkError` if the chunk is
 * malformed.
 */
export function decodeXorChunk(chunk: Uint8Array, fromMs: number, toMs: number, out: SampleBuffer): void {
  load(chunk);
  const count = countChunkSamples(chunk);
  out.reserve(count);
  let time = 0;
  let delta = 0;
  let leading = 0;
  let significant = 0;
  for (let sample = 0; sample < count; sample++) {
    if (sample === 0) {
      time = readSignedVarint();
      bits[1] = readBits(32);
      bits[0] = readBits(32);
    } else {
      delta = sample === 1 ? readVarint() : delta + readDeltaChange();
      time += delta;
      if (readBits(1) === 1) {
        if (readBits(1) === 1) {
          leading = readBits(5);
          significant = readBits(6) || 64;
        }
        changeValue(64 - leading - significant, significant);
      }
    }
    if (time >= fromMs && time < toMs) append(out, time);
  }
  if (at > chunk.length * 8)
    throw new ChunkError(`a chunk of ${chunk.length} bytes ends before its ${count} samples`);
}

function load(chunk: Uint8Array): void {
  if (chunk.length < 2) throw new ChunkError(`a chunk has ${chunk.length} bytes; expected at least 2`);
  const needed = chunk.length + 16;
  if (needed > bytes.length) bytes = new Uint8Array(2 * needed);
  bytes.set(chunk);
  bytes.fill(0, chunk.length, needed);
  at = 16;
}

function append(out: SampleBuffer, time: number): void {
  const value = float[0]!;
  out.times[out.length] = time;
  out.values[out.length++] = value;
  if (value - value !== 0 && !(bits[1] === STALE_HIGH && bits[0] === STALE_LOW)) out.dropped++;
}

/** Reads up to 32 bits as an unsigned number. Reads zeros beyond the end of the chunk. */
function readBits(count: number): number {
  if (count > 24) return readBits(count - 16) * 65_536 + readBits(16);
  if (count === 0) return 0;
  const byte = at >>> 3;
  // Undefined beyond the padding, which only malformed chunks reach.
  const word = (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!;
  const shift = at & 7;
  at += count;
  return (word << shift) >>> (32 - count);
}

/** Reads a varint: each byte has 7 bits of the number. */
function readVarint(): number {
  let value = 0;
  let factor = 1;
  for (let count = 0; count < 10; count++) {
    const byte = readBits(8);
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
    factor *= 128;
  }
  throw new ChunkError('a chunk has a number of more than 10 bytes');
}

function readSignedVarint(): number {
  const zigzag = readVarint();
  return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
}

/** Reads the change of the interval between two samples, in milliseconds. */
function readDeltaChange(): number {
  let prefix = 0;
  while (prefix < 4 && readBits(1) === 1) prefix++;
  const size = DELTA_BITS[prefix]!;
  if (size === 0) return 0;
  if (size === 64) return (readBits(32) | 0) * 4_294_967_296 + readBits(32);
  const value = readBits(size);
  return value > 2 ** (size - 1) ? value - 2 ** size : value;
}

/** Combines the value with `significant` bits that are followed by `trailing` zeros. */
function changeValue(trailing: number, significant: number): void {
  if (trailing < 0) throw new ChunkError('a chunk has a value of more than 64 bits');
  const high = significant > 32 ? readBits(significant - 32) : 0;
  const low = readBits(Math.min(32, significant));
  if (trailing === 0) {
    bits[1]! ^= high;
    bits[0]! ^= low;
  } else if (trailing >= 32) {
    bits[1]! ^= low << (trailing - 32);
  } else {
    bits[1]! ^= (high << trailing) | (low >>> (32 - trailing));
    bits[0]! ^= low << trailing;
  }
}
