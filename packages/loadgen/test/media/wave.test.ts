import { Random } from '@org/core';
import { describe, expect, test } from 'vitest';
import { createWave } from '../../src/media/wave.ts';

describe.each([8, 16, 24, 32])('a WAV file of %d bits', depth => {
  const format = { seconds: 0.5, sampleRate: 8000, depth, channels: 2 };

  test('has the sizes that its header states', () => {
    const file = createWave(format, new Random(1));
    expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect([file.readUInt16LE(22), file.readUInt32LE(24), file.readUInt16LE(34)]).toEqual([2, 8000, depth]);
    expect(file.readUInt32LE(40)).toBe((4000 * 2 * depth) / 8);
    expect(file.length).toBe(44 + (4000 * 2 * depth) / 8);
  });

  test('has noise of the same volume as AIPerf', () => {
    const file = createWave(format, new Random(1));
    const bytes = depth / 8;
    const peak = 2 ** (depth - 1) - 1;
    const samples = Array.from({ length: 8000 }, (_, index) => {
      const at = 44 + index * bytes;
      return (depth === 8 ? file.readUInt8(at) - 128 : file.readIntLE(at, bytes)) / peak;
    });
    const deviation = Math.sqrt(samples.reduce((sum, value) => sum + value ** 2, 0) / samples.length);
    expect(deviation).toBeGreaterThan(0.28);
    expect(deviation).toBeLessThan(0.32);
  });
});
