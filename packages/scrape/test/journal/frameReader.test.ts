import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../src/journal/byteStream.ts';
import { CorruptionError, FLAG } from '../../src/journal/format.ts';
import { readFrame } from '../../src/journal/frameReader.ts';
import { PreviousFrame } from '../../src/journal/previousFrame.ts';

const WHOLE = FLAG.selfContained | FLAG.valueCount;

/** Returns the bytes of a self-contained frame: flags, 8 slots, time 0, latency 0, tokens. */
function whole(...tokens: number[]): number[] {
  return [WHOLE, 8, 0, 0, ...tokens];
}

describe('a corrupted frame', () => {
  it.each<[string, number[]]>([
    ['no bytes', []],
    ['a difference without a previous frame', [0, 0, 0]],
    ['a difference without a previous frame, with a length', [FLAG.valueCount, 8, 0, 0]],
    ['more values than there are slots', [WHOLE, 9, 0, 0]],
    ['a length of 2^53 - 1', [WHOLE, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0]],
    ['a truncated time', [WHOLE | FLAG.absoluteTime, 8, 0, 0]],
    ['no latency', [WHOLE, 8, 0]],
    ['an increment beyond the last slot', whole(0x07, 0x40)],
    ['a run beyond the last slot', whole(0x48)],
    ['2^50 absent slots', whole(0xf7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)],
    ['2^50 unchanged slots', whole(0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)],
    ['a double of nine bytes', whole(0xc0 | (7 << 3) | 0, 1, 0xc0 | (4 << 3) | 4, 1, 2, 3, 4, 5)],
    ['a truncated double', whole(0xc7, 1, 2, 3)],
    ['an increment without its number', whole(0x80)],
    ['a decimal without its number', whole(0xf9)],
  ])('is rejected: %s', (_, bytes) => {
    expect(() => readFrame(new ByteReader(Uint8Array.from(bytes)), new PreviousFrame(), 8)).toThrow(
      CorruptionError,
    );
  });

  it('reads a double whose lower bytes are unchanged, as earlier writers encoded it', () => {
    const bytes = Uint8Array.from(whole(0xc0 | (7 << 3), 0x80, 0xc0 | (6 << 3) | 1, 0xf8, 0x3f));
    const { values } = readFrame(new ByteReader(bytes), new PreviousFrame(), 8);
    expect([...values.slice(0, 2)]).toEqual([-0, 1.5]);
  });

  it('reads a valid frame', () => {
    const frame = readFrame(
      new ByteReader(Uint8Array.from(whole(0x47, 0x00).slice(0, 5))),
      new PreviousFrame(),
      8,
    );
    expect([...frame.values]).toEqual(Array(8).fill(1));
  });
});
