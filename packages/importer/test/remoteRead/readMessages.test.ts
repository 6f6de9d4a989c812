import { describe, expect, it } from 'vitest';
import { splitFrames } from '../../src/remoteRead/chunkFrames.ts';
import { ProtobufError } from '../../src/remoteRead/protobuf.ts';
import { parseChunkedResponse, parseSampledResponse } from '../../src/remoteRead/readMessages.ts';
import { decodeSnappy } from '../../src/remoteRead/snappy.ts';
import { collectSamples, listExpectedSamples, readRecorded } from '../support/recorded.ts';

/** Yields bytes in parts of a size. */
async function* split(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function readFrames(bytes: Uint8Array, size: number): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for await (const frame of splitFrames(split(bytes, size))) frames.push(frame.slice());
  return frames;
}

describe('a streamed response of a real Prometheus', () => {
  const response = readRecorded('streamed-read.bin');

  it.each([1, 7, 1000, response.length])('has the samples as stored, in parts of %i bytes', async size => {
    const frames = await readFrames(response, size);
    const unsupported = { chunks: 0 };
    const series = frames.flatMap(frame => [...parseChunkedResponse(frame, unsupported)]);
    expect(collectSamples(series)).toEqual(listExpectedSamples());
    expect(unsupported.chunks).toBe(0);
  });

  it('is rejected if it ends within a message', async () => {
    await expect(readFrames(response.subarray(0, -3), 1000)).rejects.toThrow(
      'the response ends within a message',
    );
  });

  it('is rejected if a byte is damaged', async () => {
    const damaged = Buffer.from(response);
    damaged[response.length - 10]! ^= 1;
    await expect(readFrames(damaged, 1000)).rejects.toThrow('the checksum of a message does not match');
  });

  it('is rejected if it does not start with a length', async () => {
    await expect(readFrames(Buffer.alloc(20, 0xff), 20)).rejects.toThrow(
      'the length of a message is not a number',
    );
  });
});

describe('a sampled response of a real Prometheus', () => {
  const response = readRecorded('sampled-read.bin');

  it('has the samples as stored', () => {
    const series = parseSampledResponse(decodeSnappy(response, 1e7), { chunks: 0 });
    expect(collectSamples(series)).toEqual(listExpectedSamples());
  });

  it('is rejected if it is too large or damaged', () => {
    expect(() => decodeSnappy(response, 100)).toThrow('the limit is 100');
    expect(() => decodeSnappy(response.subarray(0, 200), 1e7)).toThrow(ProtobufError);
  });
});
