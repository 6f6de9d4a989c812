import { expect, it } from 'vitest';
import { SlicePositions } from '../../src/period/sliceRates.ts';
import { cutFixedSlices } from '../../src/period/timeslices.ts';

it.each<[string, number[], number[]]>([
  ['within a slice', [0, 12, 18, 30], [0, 1, 0]],
  ['between samples in two slices', [0, 8, 12, 30], [1, 1, 0]],
  ['after a sample at an edge', [0, 10, 18, 30], [0, 1, 0]],
  ['at an edge', [0, 12, 20, 30], [0, 1, 0]],
])('counts a reset %s in the slices that its interval overlaps', (_name, timesNs, expected) => {
  const slices = cutFixedSlices({ startNs: 0, endNs: 30 }, 10);
  const positions = new SlicePositions(slices, Float64Array.from(timesNs));
  expect([...positions.countResets([2])]).toEqual(expected);
});
