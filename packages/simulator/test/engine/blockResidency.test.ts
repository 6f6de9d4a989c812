import { expect, test } from 'vitest';
import { BlockUses } from '../../src/engine/blockResidency.ts';

test('a block without uses was idle for its whole lifetime', () => {
  expect(new BlockUses(10).describe(25)).toEqual({ lifetimeNs: 15, idleNs: 15, reuseGapsNs: [] });
});

test('the gaps are those between the last four uses', () => {
  const uses = new BlockUses(0);
  for (const nowNs of [1, 3, 6, 10, 15]) uses.add(nowNs);
  expect(uses.describe(21)).toEqual({ lifetimeNs: 21, idleNs: 6, reuseGapsNs: [3, 4, 5] });
});
