import { expect, test } from 'vitest';
import { GapCounter } from '../../src/metrics/gapCounter.ts';

test('computes the share of chunks that arrived together with the chunk before', () => {
  const gaps = new GapCounter();
  expect(gaps.coalescedShare).toBeUndefined();
  gaps.add([0, 2.5, 0, 1]);
  gaps.add(undefined);
  expect(gaps.coalescedShare).toBe(0.5);
  const others = new GapCounter();
  others.add([1, 1, 1, 1]);
  gaps.merge(others);
  expect(gaps.coalescedShare).toBe(0.25);
});
