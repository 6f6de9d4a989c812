import type { Labels } from '@org/core';
import type { SampleBlock, StoredSeries } from '../series.ts';

/** A series of an endpoint as it is stored in a piece. `key` is equal for equal labels. */
export interface SpooledSeries {
  readonly key: string;
  readonly blocks: readonly SampleBlock[];
}

const XOR = 0;
const RAW = 1;
/** Size of the header of a series: the length of the labels and the number of blocks. */
const SERIES_HEADER = 8;
/** Size of the header of a block: its kind, and its number of bytes or samples. */
const BLOCK_HEADER = 5;
/** Size of the times of the first and the last sample of a chunk, which precede it. */
const CHUNK_TIMES = 16;
const BYTES_PER_SAMPLE = 16;

/** Encodes a series: its labels as JSON, and its blocks. Numbers are little-endian. */
export function encodeSeries({ labels, blocks }: StoredSeries): Buffer {
  const key = Buffer.from(JSON.stringify(labels), 'utf8');
  const size = blocks.reduce((sum, block) => sum + BLOCK_HEADER + getSize(block), SERIES_HEADER + key.length);
  const out = Buffer.allocUnsafe(size);
  out.writeUInt32LE(key.length, 0);
  out.writeUInt32LE(blocks.length, 4);
  out.set(key, SERIES_HEADER);
  let at = SERIES_HEADER + key.length;
  for (const block of blocks) at = writeBlock(out, at, block);
  return out;
}

function getSize(block: SampleBlock): number {
  return block.kind === 'xor' ? CHUNK_TIMES + block.chunk.length : block.timesMs.length * BYTES_PER_SAMPLE;
}

function writeBlock(out: Buffer, start: number, block: SampleBlock): number {
  const at = start + BLOCK_HEADER;
  if (block.kind === 'xor') {
    out[start] = XOR;
    out.writeUInt32LE(block.chunk.length, start + 1);
    out.writeDoubleLE(block.minMs, at);
    out.writeDoubleLE(block.maxMs, at + 8);
    out.set(block.chunk, at + CHUNK_TIMES);
    return at + CHUNK_TIMES + block.chunk.length;
  }
  const count = block.timesMs.length;
  out[start] = RAW;
  out.writeUInt32LE(count, start + 1);
  for (let i = 0; i < count; i++) {
    out.writeDoubleLE(block.timesMs[i]!, at + 8 * i);
    out.writeDoubleLE(block.values[i]!, at + 8 * (count + i));
  }
  return at + count * BYTES_PER_SAMPLE;
}

/** Decodes the series in a segment of a piece. */
export function* decodeSeries(segment: Buffer): Generator<SpooledSeries> {
  let at = 0;
  while (at < segment.length) {
    const keyLength = segment.readUInt32LE(at);
    const blockCount = segment.readUInt32LE(at + 4);
    at += SERIES_HEADER;
    const key = segment.toString('utf8', at, at + keyLength);
    at += keyLength;
    const blocks: SampleBlock[] = [];
    for (let i = 0; i < blockCount; i++) {
      const [block, end] = readBlock(segment, at);
      blocks.push(block);
      at = end;
    }
    yield { key, blocks };
  }
}

function readBlock(segment: Buffer, start: number): [SampleBlock, number] {
  const length = segment.readUInt32LE(start + 1);
  const at = start + BLOCK_HEADER;
  if (segment[start] === XOR) return [readChunk(segment, at, length), at + CHUNK_TIMES + length];
  const timesMs = new Float64Array(length);
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    timesMs[i] = segment.readDoubleLE(at + 8 * i);
    values[i] = segment.readDoubleLE(at + 8 * (length + i));
  }
  return [{ kind: 'raw', timesMs, values }, at + length * BYTES_PER_SAMPLE];
}

function readChunk(segment: Buffer, at: number, length: number): SampleBlock {
  const start = at + CHUNK_TIMES;
  return {
    kind: 'xor',
    chunk: segment.subarray(start, start + length),
    minMs: segment.readDoubleLE(at),
    maxMs: segment.readDoubleLE(at + 8),
  };
}

/** Returns the labels of a spooled series. */
export function parseKey(key: string): Labels {
  return JSON.parse(key) as Labels;
}
