import { hrtime } from 'node:process';
import { expect, test } from 'vitest';
import { measureWallOffsetNs } from '../../src/loadgen/wallClock.ts';

test('monotonic clock plus offset is wall time', () => {
  const offset = measureWallOffsetNs();
  const wallMs = Number((hrtime.bigint() + offset) / 1_000_000n);
  expect(Math.abs(wallMs - Date.now())).toBeLessThan(50);
});
