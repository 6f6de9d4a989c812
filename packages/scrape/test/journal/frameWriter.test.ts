import type { Frame } from '@org/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from '../../src/journal/byteStream.ts';
import { readFrame } from '../../src/journal/frameReader.ts';
import { writeFrame } from '../../src/journal/frameWriter.ts';
import { PreviousFrame } from '../../src/journal/previousFrame.ts';
import { anyValue, anyValues, toHex } from './support/values.ts';

function makeFrame(values: ArrayLike<number>, about: Partial<Frame> = {}): Frame {
  return { timestampNs: 0n, latencyNs: 0, changed: true, values: Float64Array.from(values), ...about };
}

function encode(frame: Frame, before: PreviousFrame): Uint8Array {
  const out = new ByteWriter();
  writeFrame(out, frame, before);
  return out.bytes.slice(0, out.length);
}

/** Writes frames, reads them back, and returns the bytes of each. */
function roundTrip(frames: readonly Frame[]): number[] {
  const before = new PreviousFrame();
  const last = new PreviousFrame();
  return frames.map(frame => {
    const bytes = encode(frame, before);
    before.take(frame.timestampNs, frame.values);
    const read = readFrame(new ByteReader(bytes), last, frame.values.length);
    expect({ ...read, values: toHex(read.values) }).toEqual({ ...frame, values: toHex(frame.values) });
    return bytes.length;
  });
}

/** Returns the tokens of a frame in hex, without flags, time and latency. */
function encodeTokens(old: readonly number[], values: readonly number[]): string {
  const before = new PreviousFrame();
  before.take(0n, Float64Array.from(old));
  return Buffer.from(encode(makeFrame(values), before).subarray(3)).toString('hex');
}

const third = 1 / 3;

describe('the tokens of a frame', () => {
  it.each<[string, number[], number[], string]>([
    ['nothing for unchanged values', [1, 2, Number.NaN, -0], [1, 2, Number.NaN, -0], ''],
    ['one byte for an observation in all higher buckets', [5, 5, 6, 7], [5, 6, 7, 8], '0042'],
    ['one byte for four more in sixteen slots', Array(16).fill(1), Array(16).fill(5), '7f'],
    ['a longer token for a larger increment', [1, 1], [6, 6], '810a'],
    ['a longer token for more slots', Array(17).fill(0), Array(17).fill(1), '9002'],
    ['a varint length for 64 or more slots', Array(70).fill(0), Array(70).fill(1), 'bf0602'],
    ['a varint length for 64 unchanged slots', Array(65).fill(7), [...Array(64).fill(7), 8], '3f0040'],
    ['a decrease, after a restart', [1000], [0], '80cf0f'],
    ['an increment from 0 for absent slots', [Number.NaN, Number.NaN], [0, 0], '8100'],
    ['0 after -0', [-0], [0], '8000'],
    ['all bytes for -0', [0], [-0], 'c70000000000000080'],
    ['absent slots', [1, 2, 3], [1, Number.NaN, Number.NaN], '00f701'],
    ['the difference of decimals', [1.25], [1.5], 'f904'],
    ['the changed bytes of other doubles', [third], [third + 2 ** -54], 'c003'],
  ])('encode %s', (_, old, values, hex) => {
    expect(encodeTokens(old, values)).toBe(hex);
    roundTrip([makeFrame(old), makeFrame(values)]);
  });
});

describe('a frame', () => {
  it('takes a few bytes for an unchanged body', () => {
    const values = Float64Array.from({ length: 1200 }, (_, slot) => slot * 1.37);
    const at = (index: number): Frame =>
      makeFrame(values, {
        timestampNs: 1_767_225_600_000_000_000n + BigInt(index) * 333_000_000n,
        latencyNs: 2_000_000 + index,
        changed: false,
      });
    expect(roundTrip([at(0), at(1), at(2)]).slice(1)).toEqual([10, 10]);
  });

  it.each<[string, Partial<Frame>]>([
    ['an exact time', { timestampNs: 1_767_225_600_123_456_789n }],
    ['a time before 1970', { timestampNs: -1n }],
    ['the latest time', { timestampNs: 2n ** 63n - 1n }],
    ['no latency', { latencyNs: 0 }],
    ['a negative latency, from a wrong clock', { latencyNs: -5 }],
    ['a latency with a fraction', { latencyNs: 0.5 }],
    ['an absurd latency', { latencyNs: 2 ** 60 }],
    ['an unknown latency', { latencyNs: Number.NaN }],
    ['an unchanged body', { changed: false }],
  ])('keeps %s', (_, about) => {
    roundTrip([makeFrame([1], about), makeFrame([2], about), makeFrame([3])]);
  });

  it('rejects a time beyond 64 bits without side effects', () => {
    const before = new PreviousFrame();
    expect(() => encode(makeFrame([1], { timestampNs: 2n ** 64n }), before)).toThrow(RangeError);
    expect(before.isKnown).toBe(false);
  });

  it('round-trips any values and lengths', () => {
    const frames = fc.array(
      fc.record({
        values: anyValues,
        timestampNs: fc.oneof(
          fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
          fc.bigInt({ min: 0n, max: 10n ** 9n }),
        ),
        latencyNs: fc.oneof(fc.nat(), anyValue),
        changed: fc.boolean(),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(frames, all => void roundTrip(all)),
      { numRuns: 500 },
    );
  });

  it('round-trips changes of some slots', () => {
    const edits = fc.array(fc.array(fc.tuple(fc.nat(99), anyValue, fc.integer({ min: 1, max: 80 }))), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(edits, all => {
        const values = new Float64Array(100).fill(Number.NaN);
        const frames = all.map(edit => {
          for (const [slot, value, length] of edit) values.fill(value, slot, slot + length);
          return makeFrame(values);
        });
        roundTrip(frames);
      }),
      { numRuns: 500 },
    );
  });
});
