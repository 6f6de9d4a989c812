import { expect, it } from 'vitest';
import { decodeXorChunk } from '../../src/remoteRead/xorChunk.ts';
import { SampleBuffer } from '../../src/sampleBuffer.ts';

/**
 * A chunk of Prometheus 2.42 with 5 samples: times 1000, 16000, 31000, 46050, 60900 and the values 1, 1, 2.5, a marker of
 * the end of the series, and -3.
 */
const CHUNK = Buffer.from(
  // count, first time (zigzag varint), first value, then bits
  encodeChunk([
    [1000, 1],
    [16_000, 1],
    [31_000, 2.5],
    [46_050, 'stale'],
    [60_900, -3],
  ]),
);

function decode(chunk: Uint8Array, fromMs = 0, toMs = 1e12): SampleBuffer {
  const out = new SampleBuffer();
  decodeXorChunk(chunk, fromMs, toMs, out);
  return out;
}

it('decodes times and values, and converts the marker of the end to NaN', () => {
  const out = decode(CHUNK);
  expect([...out.times.subarray(0, out.length)]).toEqual([1000, 16_000, 31_000, 46_050, 60_900]);
  expect([...out.values.subarray(0, out.length)]).toEqual([1, 1, 2.5, Number.NaN, -3]);
  expect(out.dropped).toBe(0);
});

it('leaves out samples outside of the range, which includes its start and not its end', () => {
  const out = decode(CHUNK, 16_000, 46_050);
  expect([...out.times.subarray(0, out.length)]).toEqual([16_000, 31_000]);
});

it.each([
  [Buffer.alloc(0), 'a chunk has 0 bytes'],
  [Buffer.from([0, 9]), 'ends before its 9 samples'],
  [CHUNK.subarray(0, 12), 'ends before its 5 samples'],
])('rejects a malformed chunk (%#)', (chunk, message) => {
  expect(() => decode(chunk)).toThrow(message);
});

/** Encodes a chunk by the rules of Prometheus' appender, bit by bit. */
function encodeChunk(samples: readonly (readonly [number, number | 'stale'])[]): number[] {
  let bits = samples.length.toString(2).padStart(16, '0');
  let [previousTime, previousDelta, previous] = [0, 0, 0n];
  samples.forEach(([time, value], at) => {
    const raw = toBits(value);
    if (at === 0) bits += toVarint(2 * time) + raw.toString(2).padStart(64, '0');
    else {
      const delta = time - previousTime;
      bits += at === 1 ? toVarint(delta) : toDeltaChange(delta - previousDelta);
      previousDelta = delta;
      bits += toValueChange(raw ^ previous);
    }
    previousTime = time;
    previous = raw;
  });
  return (bits.match(/.{1,8}/g) ?? []).map(byte => Number.parseInt(byte.padEnd(8, '0'), 2));
}

function toBits(value: number | 'stale'): bigint {
  if (value === 'stale') return 0x7ff0000000000002n;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function toVarint(value: number): string {
  const low = (value & 0x7f).toString(2).padStart(7, '0');
  return value < 128 ? `0${low}` : `1${low}${toVarint(value >> 7)}`;
}

function toDeltaChange(change: number): string {
  if (change === 0) return '0';
  return `10${(change & 0x3fff).toString(2).padStart(14, '0')}`;
}

/** Writes all significant bits with a new number of leading zeros. */
function toValueChange(xor: bigint): string {
  if (xor === 0n) return '0';
  const text = xor.toString(2).padStart(64, '0');
  const leading = Math.min(31, text.indexOf('1'));
  const significant = text.lastIndexOf('1') + 1 - leading;
  const size = (significant & 63).toString(2).padStart(6, '0');
  return `11${leading.toString(2).padStart(5, '0')}${size}${text.slice(leading, leading + significant)}`;
}
