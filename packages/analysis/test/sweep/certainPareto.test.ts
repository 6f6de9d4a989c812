import { expect, test } from 'vitest';
import { findCertainParetoPoints } from '../../src/sweep/certainPareto.ts';
import { createPoint } from './judgedPoints.ts';

test.each([
  [
    'points whose intervals part them from all others',
    [createPoint(1, [10, 1], [50, 5]), createPoint(2, [20, 1], [90, 5]), createPoint(4, [15, 1], [200, 5])],
    ['c1', 'c2'],
  ],
  [
    'no point whose intervals overlap in both metrics with another',
    [createPoint(1, [10, 1], [50, 5]), createPoint(2, [20, 3], [90, 20]), createPoint(4, [21, 3], [95, 20])],
    ['c1'],
  ],
  ['no point without intervals', [createPoint(1, 10, 50), createPoint(2, 20, 90)], []],
  ['no point that has no other to compare with', [createPoint(1, [10, 1], [50, 5])], []],
  [
    'points among those that have both metrics',
    [createPoint(1, [10, 1], [50, 5]), createPoint(2, [20, 1], [90, 5]), createPoint(4, [90, 1], undefined)],
    ['c1', 'c2'],
  ],
])('marks %s', (_, points, expected) => {
  expect(findCertainParetoPoints(points, 'rate', 'ttft_p99').map(({ name }) => name)).toEqual(expected);
});
