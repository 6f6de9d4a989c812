import { expect, test } from 'vitest';
import { BufferPool } from '../../src/http/bufferPool.ts';

test('reuses a returned buffer that is large enough', () => {
  const rooms = new BufferPool();
  const room = rooms.take(100);
  expect(room.length).toBeGreaterThanOrEqual(100);
  rooms.put(room);
  const other = rooms.take(10_000);
  expect(other.length).toBeGreaterThanOrEqual(10_000);
  // Compared without toBe, which would compare every byte of two different buffers.
  expect(rooms.take(100) === room).toBe(true);
  expect(rooms.take(100) === room).toBe(false);
});

test('keeps only a few buffers, the larger ones, up to the size limit', () => {
  const rooms = new BufferPool();
  for (const room of [9, 1, 8, 7, 6].map(size => rooms.take(size * 1000))) rooms.put(room);
  const largest = rooms.take(64 << 20);
  rooms.put(largest);
  expect(rooms.take(64 << 20) === largest).toBe(false);
  const kept = [1, 2, 3, 4].map(() => rooms.take(1).length);
  expect(kept.sort((a, b) => a - b)).toEqual([7500, 8750, 10_000, 11_250]);
  expect(rooms.take(1).length).toBeLessThan(10);
});
