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

function encode(frame: Frame, previous: PreviousFrame): Uint8Array {
  const out = new ByteWriter();
  writeFrame(out, frame, previous);
  return out.bytes.slice(0, out.length);
}

/** Checks that frames are the same after writing and reading. Returns the size of each, in bytes. */
function roundTrip(frames: readonly Frame[]): number[] {
  const previous = new PreviousFrame();
  const previousRead = new PreviousFrame();
  return frames.map(frame => {
    const bytes = encode(frame, previous);
    previous.store(frame.timestampNs, frame.values);
    const read = readFrame(new ByteReader(bytes), previousRead, frame.values.length);
    expect({ ...read, values: toHex(read.values) }).toEqual({ ...frame, values: toHex(frame.values) });
    return bytes.length;
  });
}

/** Returns the tokens of a frame in hex, without its flags, timestamp and latency. */
function encodeTokens(previousValues: readonly number[], values: readonly number[]): string {
  const previous = new PreviousFrame();
  previous.store(0n, Float64Array.from(previousValues));
  return Buffer.from(encode(makeFrame(values), previous).subarray(3)).toString('hex');
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
  ])('encode %s', (_, previousValues, values, hex) => {
    expect(encodeTokens(previousValues, values)).toBe(hex);
    roundTrip([makeFrame(previousValues), makeFrame(values)]);
  });
});

describe('a frame', () => {
  it('takes 10 bytes if the body is unchanged', () => {
    const values = Float64Array.from({ length: 1200 }, (_, slot) => slot * 1.37);
    const makeUnchangedFrame = (index: number): Frame =>
      makeFrame(values, {
        timestampNs: 1_767_225_600_000_000_000n + BigInt(index) * 333_000_000n,
        latencyNs: 2_000_000 + index,
        changed: false,
      });
    expect(roundTrip([makeUnchangedFrame(0), makeUnchangedFrame(1), makeUnchangedFrame(2)]).slice(1)).toEqual(
      [10, 10],
    );
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
    const previous = new PreviousFrame();
    expect(() => encode(makeFrame([1], { timestampNs: 2n ** 64n }), previous)).toThrow(RangeError);
    expect(previous.isKnown).toBe(false);
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
      fc.property(frames, drawnFrames => void roundTrip(drawnFrames)),
      { numRuns: 500 },
    );
  });

  it('round-trips changes of some slots', () => {
    const edits = fc.array(fc.array(fc.tuple(fc.nat(99), anyValue, fc.integer({ min: 1, max: 80 }))), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(edits, frameEdits => {
        const values = new Float64Array(100).fill(Number.NaN);
        const frames = frameEdits.map(slotEdits => {
          for (const [slot, value, length] of slotEdits) values.fill(value, slot, slot + length);
          return makeFrame(values);
        });
        roundTrip(frames);
      }),
      { numRuns: 500 },
    );
  });
});
