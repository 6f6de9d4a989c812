import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../src/journal/byteStream.ts';
import { CorruptionError, FLAG } from '../../src/journal/format.ts';
import { readFrame } from '../../src/journal/frameReader.ts';
import { PreviousFrame } from '../../src/journal/previousFrame.ts';

const SELF_CONTAINED = FLAG.selfContained | FLAG.valueCount;

/** Encodes a self-contained frame of 8 slots with timestamp 0 and latency 0. */
function encodeFrame(...tokens: number[]): number[] {
  return [SELF_CONTAINED, 8, 0, 0, ...tokens];
}

describe('a corrupted frame', () => {
  it.each<[string, number[]]>([
    ['no bytes', []],
    ['a difference without a previous frame', [0, 0, 0]],
    ['a difference without a previous frame, with a length', [FLAG.valueCount, 8, 0, 0]],
    ['more values than there are slots', [SELF_CONTAINED, 9, 0, 0]],
    ['a length of 2^53 - 1', [SELF_CONTAINED, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0]],
    ['a truncated time', [SELF_CONTAINED | FLAG.absoluteTime, 8, 0, 0]],
    ['no latency', [SELF_CONTAINED, 8, 0]],
    ['an increment beyond the last slot', encodeFrame(0x07, 0x40)],
    ['a run beyond the last slot', encodeFrame(0x48)],
    ['2^50 absent slots', encodeFrame(0xf7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)],
    ['2^50 unchanged slots', encodeFrame(0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)],
    ['a double of nine bytes', encodeFrame(0xc0 | (7 << 3) | 0, 1, 0xc0 | (4 << 3) | 4, 1, 2, 3, 4, 5)],
    ['a truncated double', encodeFrame(0xc7, 1, 2, 3)],
    ['an increment without its number', encodeFrame(0x80)],
    ['a decimal without its number', encodeFrame(0xf9)],
  ])('is rejected: %s', (_, bytes) => {
    expect(() => readFrame(new ByteReader(Uint8Array.from(bytes)), new PreviousFrame(), 8)).toThrow(
      CorruptionError,
    );
  });

  it('reads a double whose lower bytes are unchanged, as earlier writers encoded it', () => {
    const bytes = Uint8Array.from(encodeFrame(0xc0 | (7 << 3), 0x80, 0xc0 | (6 << 3) | 1, 0xf8, 0x3f));
    const { values } = readFrame(new ByteReader(bytes), new PreviousFrame(), 8);
    expect([...values.slice(0, 2)]).toEqual([-0, 1.5]);
  });

  it('reads a valid frame', () => {
    const frame = readFrame(
      new ByteReader(Uint8Array.from(encodeFrame(0x47, 0x00).slice(0, 5))),
      new PreviousFrame(),
      8,
    );
    expect([...frame.values]).toEqual(Array(8).fill(1));
  });
});
