import { expect, test } from 'vitest';
import type { KeyFamily } from '../../../src/report/keyFamilies.ts';
import { buildHeatmap } from '../../../src/report/timeline/heatmap.ts';
import { LevelTrace, ObservationTrace } from '../../../src/report/timeline/trace.ts';

const AXIS = { bins: 2, width: 2 };
const FAMILY = { family: { name: 'latency', unit: 'seconds' }, meaning: 'a latency' } as KeyFamily;

/** Creates a trace with the increases of cumulative buckets in the first bin. */
function createTrace(increases: Readonly<Record<string, number>>): ObservationTrace {
  const trace = new ObservationTrace(AXIS);
  const buckets = new Map(Object.entries(increases));
  trace.addIncrease(
    0,
    { seconds: 2, count: buckets.get('+Inf')!, sum: 1, buckets },
    { count: 0, sum: 0, buckets: new Map() },
  );
  return trace;
}

test('counts observations per bucket over all series, without empty buckets at both ends', () => {
  const traces = new Map([
    ['a:1', new Map([['', createTrace({ '0.5': 0, '10': 5, '2': 3, '1': 2, '+Inf': 5 })]])],
    ['b:1', new Map([['', createTrace({ '0.5': 0, '1': 1, '2': 1, '10': 1, '+Inf': 1 })]])],
  ]);
  expect(buildHeatmap(FAMILY, traces, AXIS)).toEqual([
    {
      name: 'latency',
      meaning: 'a latency',
      unit: 'seconds',
      bounds: [1, 2, 10],
      counts: [
        [3, 1, 2],
        [0, 0, 0],
      ],
    },
  ]);
});

test('represents the bound +Inf as null', () => {
  const traces = new Map([['a:1', new Map([['', createTrace({ '1': 1, '+Inf': 3 })]])]]);
  expect(buildHeatmap(FAMILY, traces, AXIS)[0]).toMatchObject({
    bounds: [1, null],
    counts: [
      [1, 2],
      [0, 0],
    ],
  });
});

test.each([
  ['other metrics', new LevelTrace(AXIS)],
  ['histograms without observations', createTrace({ '1': 0, '+Inf': 0 })],
  ['histograms without bounds', createTrace({ '+Inf': 3 })],
])('builds no heat map for %s', (_, trace) => {
  expect(buildHeatmap(FAMILY, new Map([['a:1', new Map([['', trace]])]]), AXIS)).toEqual([]);
});
