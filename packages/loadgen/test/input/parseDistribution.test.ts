import { expect, test } from 'vitest';
import { parseDistribution } from '../../src/input/parseDistribution.ts';
import type { ValueDistribution } from '../../src/input/valueDistribution.ts';

test.each<[unknown, ValueDistribution]>([
  [512, { mean: 512 }],
  ['512', { mean: 512 }],
  [{ value: 9 }, { mean: 9 }],
  [{ type: 'normal', mean: 9 }, { mean: 9 }],
  [
    { mean: 9, stddev: 2, min: 5, max: 12 },
    { mean: 9, stddev: 2, min: 5, max: 12 },
  ],
  [
    { mean: 9, median: 4 },
    { mean: 9, median: 4 },
  ],
  [{ mean: 9, median: 9 }, { mean: 9 }],
  [
    { mean: 9, stddev: null, max: 12 },
    { mean: 9, max: 12 },
  ],
  [
    { points: [{ value: 8, weight: 3 }, { value: 16 }] },
    {
      mean: 10,
      parts: [
        { distribution: { mean: 8 }, weight: 3 },
        { distribution: { mean: 16 }, weight: 1 },
      ],
    },
  ],
  [
    {
      peaks: [
        { mean: 2, median: 1 },
        { distribution: { mean: 4, max: 5 }, weight: 1 },
      ],
      max: 9,
    },
    {
      mean: 3,
      max: 9,
      parts: [
        { distribution: { mean: 2, median: 1 }, weight: 1 },
        { distribution: { mean: 4, max: 5 }, weight: 1 },
      ],
    },
  ],
])('parses %j', (value, distribution) => {
  expect(parseDistribution(value)).toEqual(distribution);
});

test.each<[unknown, string]>([
  ['many', 'value is "many"; expected a number of at least 0'],
  [true, 'value is true'],
  [{}, 'no distribution; expected a number'],
  [{ mean: 5, sttdev: 1 }, 'sttdev is unknown; expected mean, stddev, min, max, type'],
  [{ mean: 5, median: 6 }, 'median is 6; expected a number above 0, up to the mean (5)'],
  [{ mean: -1 }, 'mean is -1'],
  [{ mean: 5, min: 4, max: 3 }, 'min is 4, above max (3)'],
  [{ type: 'uniform' }, 'type is "uniform"; expected fixed, normal'],
  [{ type: '__proto__', mean: 5 }, 'type is "__proto__"; expected fixed, normal'],
  [{ type: 'constructor', mean: 5 }, 'type is "constructor"; expected fixed, normal'],
  [{ median: 6 }, 'mean is missing; expected a number of at least 0'],
  [{ peaks: [{ mean: 1 }] }, 'peaks is not a list of at least 2'],
  [{ points: [] }, 'points is not a list of at least 1'],
  [{ points: [{ value: 1, weight: 0 }] }, 'weight is 0 in all parts'],
  [{ points: [{ mean: 1 }] }, 'points: mean is unknown; expected value, weight'],
])('rejects %j', (value, message) => {
  expect(() => parseDistribution(value)).toThrow(message);
});
