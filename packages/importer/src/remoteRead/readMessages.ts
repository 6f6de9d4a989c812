import { type Labels, sortLabels } from '@org/core';
import type { SampleBlock, StoredSeries } from '../series.ts';
import { LabelDecoder } from './labelDecoder.ts';
import { ProtobufError, readFields } from './protobuf.ts';

/** The values of `Chunk.Encoding`. */
const XOR_ENCODING = 1;

/** Counts chunks that cannot be imported: native histograms. */
export interface UnsupportedChunks {
  chunks: number;
}

/**
 * Parses a message of a streamed response (`prometheus.ChunkedReadResponse`). Throws `ProtobufError` if it is malformed.
 * https://github.com/prometheus/prometheus/blob/v2.42.0/prompb/remote.proto
 */
export function* parseChunkedResponse(
  message: Uint8Array,
  unsupported: UnsupportedChunks,
): Generator<StoredSeries> {
  const decoder = new LabelDecoder(message);
  for (const [start, end] of listRanges(message, 0, message.length, 1))
    yield parseChunkedSeries(message, start, end, decoder, unsupported);
}

type ByteRange = readonly [start: number, end: number];

/** Lists the ranges of the messages in a repeated field. */
function listRanges(bytes: Uint8Array, start: number, end: number, wanted: number): ByteRange[] {
  const ranges: ByteRange[] = [];
  readFields(bytes, start, end, {
    onRange: (field, from, to) => {
      if (field === wanted) ranges.push([from, to]);
    },
  });
  return ranges;
}

function parseChunkedSeries(
  bytes: Uint8Array,
  start: number,
  end: number,
  decoder: LabelDecoder,
  unsupported: UnsupportedChunks,
): StoredSeries {
  const labels: Labels[number][] = [];
  const blocks: SampleBlock[] = [];
  readFields(bytes, start, end, {
    onRange: (field, from, to) => {
      if (field === 1) labels.push(decoder.decode(labels.length, from, to));
      if (field === 2) {
        const chunk = parseChunk(bytes, from, to);
        if (chunk) blocks.push(chunk);
        else unsupported.chunks++;
      }
    },
  });
  return { labels: sortLabels(labels), blocks };
}

/** Parses a chunk; returns undefined for a chunk of native histograms. */
function parseChunk(bytes: Uint8Array, start: number, end: number): SampleBlock | undefined {
  let encoding = 0;
  let minMs = Number.NEGATIVE_INFINITY;
  let maxMs = Number.POSITIVE_INFINITY;
  let chunk: Uint8Array | undefined;
  readFields(bytes, start, end, {
    onNumber: (field, value) => {
      if (field === 1) minMs = value;
      if (field === 2) maxMs = value;
      if (field === 3) encoding = value;
    },
    onRange: (field, from, to) => {
      if (field === 4) chunk = bytes.subarray(from, to);
    },
  });
  if (encoding !== XOR_ENCODING) return undefined;
  if (chunk === undefined) throw new ProtobufError('a chunk has no data');
  return { kind: 'xor', chunk, minMs, maxMs };
}

/** Parses a response with samples (`prometheus.ReadResponse`). Throws `ProtobufError` if it is malformed. */
export function* parseSampledResponse(
  message: Uint8Array,
  unsupported: UnsupportedChunks,
): Generator<StoredSeries> {
  const decoder = new LabelDecoder(message);
  for (const [start, end] of listRanges(message, 0, message.length, 1))
    for (const [from, to] of listRanges(message, start, end, 1))
      yield parseTimeSeries(message, from, to, decoder, unsupported);
}

function parseTimeSeries(
  bytes: Uint8Array,
  start: number,
  end: number,
  decoder: LabelDecoder,
  unsupported: UnsupportedChunks,
): StoredSeries {
  const labels: Labels[number][] = [];
  const times: number[] = [];
  const values: number[] = [];
  readFields(bytes, start, end, {
    onRange: (field, from, to) => {
      if (field === 1) labels.push(decoder.decode(labels.length, from, to));
      if (field === 4) unsupported.chunks++;
      if (field !== 2) return;
      const sample = parseSample(bytes, from, to);
      times.push(sample.timeMs);
      values.push(sample.value);
    },
  });
  const block = {
    kind: 'raw',
    timesMs: Float64Array.from(times),
    values: Float64Array.from(values),
  } as const;
  return { labels: sortLabels(labels), blocks: [block] };
}

function parseSample(bytes: Uint8Array, start: number, end: number): { timeMs: number; value: number } {
  const sample = { timeMs: 0, value: 0 };
  readFields(bytes, start, end, {
    onDouble: (field, value) => {
      if (field === 1) sample.value = value;
    },
    onNumber: (field, value) => {
      if (field === 2) sample.timeMs = value;
    },
  });
  return sample;
}
