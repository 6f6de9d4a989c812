import { describe, expect, test } from 'vitest';
import { describeChart, describeTimeline } from '../../client/timelineSections.ts';

describe('describeTimeline', () => {
  test('describes the source and the interval', () => {
    expect(describeTimeline({ source: 'timeslices', binSeconds: 2, marks: [] })).toBe(
      'Source: timeslices, with a point every 2 s.',
    );
  });

  test('describes the shading and the marks', () => {
    const marks = [
      { seconds: 65, text: 'reload' },
      { seconds: 70.5, text: 'done' },
    ];
    expect(describeTimeline({ source: 'all scrapes', binSeconds: 0.5, profiling: [5, 60], marks })).toBe(
      'Source: all scrapes, with a point every 500 ms. The time outside the profiling period is shaded. Marks: reload (1:05), done (1:11).',
    );
  });
});

test.each([
  [[1, null, 3, 2], 'tokens over time: from 1/s to 3/s, average 2/s'],
  [[null], 'tokens over time: no data'],
])('describes a chart with values %j', (all, expected) => {
  expect(describeChart({ name: 'tokens', unit: null, unitSuffix: '/s', all })).toBe(expected);
});
