import { expect, test } from 'vitest';
import { BufferPool } from '../../src/http/bufferPool.ts';

test('reuses a returned buffer that is large enough', () => {
  const pool = new BufferPool();
  const buffer = pool.take(100);
  expect(buffer.length).toBeGreaterThanOrEqual(100);
  pool.put(buffer);
  const largerBuffer = pool.take(10_000);
  expect(largerBuffer.length).toBeGreaterThanOrEqual(10_000);
  // toBe would compare every byte of two different buffers.
  expect(pool.take(100) === buffer).toBe(true);
  expect(pool.take(100) === buffer).toBe(false);
});

test('keeps only the four largest buffers, and none above the size limit', () => {
  const pool = new BufferPool();
  for (const buffer of [9, 1, 8, 7, 6].map(size => pool.take(size * 1000))) pool.put(buffer);
  const largest = pool.take(64 << 20);
  pool.put(largest);
  expect(pool.take(64 << 20) === largest).toBe(false);
  // A new buffer is 1.25 times as large as requested.
  const keptLengths = [1, 2, 3, 4].map(() => pool.take(1).length);
  expect(keptLengths.sort((a, b) => a - b)).toEqual([7500, 8750, 10_000, 11_250]);
  expect(pool.take(1).length).toBeLessThan(10);
});
