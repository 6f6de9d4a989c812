import { expect, test } from 'vitest';
import { createRateCurve } from '../../src/schedule/rateCurve.ts';

test.each([
  [0, 100, 10, 0],
  [125, 100, 10, 5],
  [500, 100, 10, 10],
  [600, 100, 10, 11],
  [7, 2, 0, 3.5],
])('%d arrivals at %d/s with a ramp of %d s take %d s', (expected, perSecond, rampS, seconds) => {
  const curve = createRateCurve({ perSecond, rampS, series: undefined });
  expect(curve.findTime(expected)).toBeCloseTo(seconds, 12);
});

test('the number of arrivals is the area below the series', () => {
  const series = [
    { timeS: 1, perSecond: 10 },
    { timeS: 3, perSecond: 20 },
    { timeS: 5, perSecond: 5 },
  ];
  const curve = createRateCurve({ perSecond: 10, rampS: 2, series });
  // Ramp: 10. Until the first point: 10. Then 30 and 25, then 5 per second.
  const cases: [arrivals: number, seconds: number][] = [
    [0, 0],
    [10, 2],
    [15, 2.5],
    [20, 3],
    [32.5, 4],
    [50, 5],
    [75, 7],
    [85, 9],
  ];
  for (const [arrivals, seconds] of cases) expect(curve.findTime(arrivals)).toBeCloseTo(seconds, 9);
});

test.each([
  [[[0, 1]], 'has 1 points; expected at least 2'],
  [
    [
      [1, 1],
      [1, 2],
    ],
    'point 1 of the series of request rates is at 1 s; expected ascending times',
  ],
  [
    [
      [-1, 1],
      [1, 2],
    ],
    'point 0 of the series of request rates is at -1 s',
  ],
  [
    [
      [0, 0],
      [1, 2],
    ],
    'the request rate of point 0 is 0; expected a number greater than 0',
  ],
])('rejects the series %j', (points, message) => {
  const series = points.map(([timeS, perSecond]) => ({ timeS: timeS!, perSecond: perSecond! }));
  expect(() => createRateCurve({ perSecond: 1, rampS: 0, series })).toThrow(message);
});
