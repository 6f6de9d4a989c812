import type { Random } from '@org/core';

/** The format of an audio clip. */
export interface WaveFormat {
  readonly seconds: number;
  readonly sampleRate: number;
  /** Size of a sample: 8, 16, 24 or 32 bits. */
  readonly depth: number;
  readonly channels: number;
}

const HEADER_BYTES = 44;
/** Standard deviation of the noise; AIPerf uses the same. */
const VOLUME = 0.3;

/** Creates a WAV file with Gaussian noise (http://soundfile.sapp.org/doc/WaveFormat/). */
export function createWave(format: WaveFormat, random: Random): Buffer {
  const { seconds, sampleRate, depth, channels } = format;
  const sampleBytes = depth / 8;
  const samples = Math.floor(seconds * sampleRate) * channels;
  const file = Buffer.alloc(HEADER_BYTES + samples * sampleBytes);
  writeHeader(file, format);
  const peak = 2 ** (depth - 1) - 1;
  for (let sample = 0; sample < samples; sample++) {
    const value = Math.trunc(Math.min(1, Math.max(-1, VOLUME * random.normal())) * peak);
    const at = HEADER_BYTES + sample * sampleBytes;
    // Samples of 8 bits are unsigned.
    if (depth === 8) file.writeUInt8(value + 128, at);
    else file.writeIntLE(value, at, sampleBytes);
  }
  return file;
}

function writeHeader(file: Buffer, { sampleRate, depth, channels }: WaveFormat): void {
  const frameBytes = (channels * depth) / 8;
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * frameBytes, 28);
  file.writeUInt16LE(frameBytes, 32);
  file.writeUInt16LE(depth, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(file.length - HEADER_BYTES, 40);
}
