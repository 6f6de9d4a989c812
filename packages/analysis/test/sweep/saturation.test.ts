import { expect, test } from 'vitest';
import { groupByLoad } from '../../src/sweep/loadPoint.ts';
import { findSaturation } from '../../src/sweep/saturation.ts';
import { createPoint } from './judgedPoints.ts';

test.each([
  [
    'the load above which only latency grows',
    [
      createPoint(1, [10, 0.1], [50, 5]),
      createPoint(8, [60, 0.5], [90, 5]),
      createPoint(16, [62, 0.5], [300, 9]),
      createPoint(32, [62, 0.5], [900, 9]),
    ],
    8,
  ],
  [
    'no load, if throughput may have grown by more than 10%',
    [createPoint(8, [60, 5], [90, 5]), createPoint(16, [62, 5], [300, 9])],
    undefined,
  ],
  [
    'no load, if latency may not have grown',
    [createPoint(8, [60, 0.5], [90, 50]), createPoint(16, [62, 0.5], [120, 50])],
    undefined,
  ],
  ['no load without repeats', [createPoint(8, 60, 90), createPoint(16, 60, 300)], undefined],
  ['no load in a single point', [createPoint(8, [60, 1], [90, 1])], undefined],
])('finds %s', (_, points, expected) => {
  const [group] = groupByLoad(points).groups;
  expect(findSaturation(group!, 'rate', 'ttft_p99')?.load).toBe(expected);
});
