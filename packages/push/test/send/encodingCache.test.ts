import { expect, test } from 'vitest';
import { EncodingCache, MAX_CACHED_BYTES } from '../../src/send/encodingCache.ts';
import { createBatch } from '../support/batches.ts';

/** A protocol that counts its encodings. Each one has `bytes` bytes. */
function createProtocol(encoding: string, bytes = 1) {
  const encoded: unknown[] = [];
  return {
    encoding,
    encode: (batch: unknown) => {
      encoded.push(batch);
      return { body: new Uint8Array(bytes), headers: { name: encoding } };
    },
    count: () => encoded.length,
  };
}

test('encodes a batch once for all receivers with the same encoding', () => {
  const cache = new EncodingCache();
  const [first, second, other] = [createProtocol('a'), createProtocol('a'), createProtocol('b')];
  const batch = createBatch();
  const encoded = cache.encode(batch, first);
  expect(cache.encode(batch, second)).toBe(encoded);
  expect(cache.encode(batch, other).headers).toEqual({ name: 'b' });
  expect([first, second, other].map(protocol => protocol.count())).toEqual([1, 0, 1]);
  expect(cache.encode(createBatch(), second)).not.toBe(encoded);
});

test('keeps bodies of a limited size', () => {
  const cache = new EncodingCache();
  const protocol = createProtocol('a', MAX_CACHED_BYTES / 2);
  const batches = [createBatch(1), createBatch(2), createBatch(3)];
  for (const batch of batches) cache.encode(batch, protocol);
  cache.encode(batches[2]!, protocol);
  cache.encode(batches[1]!, protocol);
  expect(protocol.count()).toBe(3);
  cache.encode(batches[0]!, protocol);
  expect(protocol.count()).toBe(4);
});
