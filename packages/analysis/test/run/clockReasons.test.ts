import { expect, test } from 'vitest';
import { listThrottleReasons } from '../../src/run/clockReasons.ts';

test.each<[bits: number, names: readonly string[]]>([
  [0, []],
  // Idle, and clock rates that a user has set.
  [0x1, []],
  [0x1 | 0x2 | 0x10 | 0x100, []],
  [0x4, ['software power cap']],
  [0x24, ['software power cap', 'software thermal slowdown']],
  [0x48, ['hardware slowdown', 'hardware thermal slowdown']],
  [0x80, ['power brake']],
  [2 ** 40 + 0x4, ['software power cap']],
])('reads the throttle reasons of %d', (bits, names) => {
  expect(listThrottleReasons(bits).map(({ name }) => name)).toEqual(names);
});
