import { hrtime } from 'node:process';
import { expect, test } from 'vitest';
import { measureWallOffsetNs } from '../../src/loadgen/wallClock.ts';

test('returns the difference between the wall clock and the monotonic clock', () => {
  const offset = measureWallOffsetNs();
  const wallMs = Number((hrtime.bigint() + offset) / 1_000_000n);
  expect(Math.abs(wallMs - Date.now())).toBeLessThan(50);
});
