import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawHeatMap } from '../../src/svg/heatMap.ts';
import { drawLadder } from '../../src/svg/ladder.ts';
import { drawSmallChart } from '../../src/svg/smallChart.ts';
import { drawSparkline } from '../../src/svg/sparkline.ts';
import { drawSplitBar } from '../../src/svg/splitBar.ts';
import { drawTimeChart } from '../../src/svg/timeChart.ts';
import type { TimeChart, TimeMarks } from '../../src/svg/timeChartModel.ts';
import { findOutside, findOverlaps, listNumbers } from '../support/drawings.ts';

/** Values of metrics: unknown, 0, very small and very large. */
const value = fc.option(
  fc.oneof(
    fc.constant(0),
    fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
    fc.integer({ min: 0, max: 1e4 }),
  ),
);
const values = fc.array(value, { minLength: 1, maxLength: 30 });
const positive = fc.double({ min: 1e-3, max: 1e9, noNaN: true });

const chart = fc
  .record({
    values,
    other: values,
    max: fc.option(positive, { nil: undefined }),
    limit: fc.option(positive, { nil: undefined }),
    hasLoad: fc.boolean(),
    step: fc.double({ min: 0.01, max: 4000, noNaN: true }),
    isArea: fc.boolean(),
  })
  .map(
    ({ values, other, max, limit, hasLoad, step, isArea }): TimeChart => ({
      id: 'a',
      side: 'client',
      title: 'Latency, ms',
      unit: 'ms',
      metrics: [],
      help: '',
      axis: { from: 0, step },
      layers: [
        { form: 'band', name: 'band', color: 'client', low: values, high: other },
        isArea
          ? { form: 'area', name: 'area', color: 'client', values }
          : { form: 'line', name: 'line', color: 'client', values },
        { form: 'step', name: 'step', color: 'grey', values: other },
        {
          form: 'dots',
          name: 'dots',
          color: 'client',
          points: other.flatMap((y, i) => (y === null ? [] : [[i * step, y] as const])),
        },
        { form: 'events', name: 'events', color: 'failed', times: [0, step, 3 * step] },
      ],
      ...(max !== undefined && { max }),
      ...(limit !== undefined && { limits: [{ value: limit, name: 'limit' }] }),
      ...(hasLoad && { load: { name: 'load', values: other, axis: { from: 0, step } } }),
    }),
  );

const marks = fc.array(fc.double({ min: -10, max: 1e5, noNaN: true }), { maxLength: 6 }).map(
  (times): TimeMarks => ({
    profiling: [5, 50],
    intervals: times.map(from => ({ kind: 'finding', from, to: from + 3, label: '1' })),
    moments: times.map(seconds => ({ kind: 'restart', seconds, label: 'localhost:8000 restarted' })),
  }),
);

const view = fc.record({
  width: fc.integer({ min: 240, max: 2000 }),
  height: fc.integer({ min: 100, max: 400 }),
  isLog: fc.boolean(),
  length: fc.double({ min: 0.5, max: 90_000, noNaN: true }),
});

describe('a chart over time', () => {
  test('has only finite numbers, and labels inside the drawing that do not overlap', () => {
    fc.assert(
      fc.property(chart, marks, view, (data, marked, { width, height, isLog, length }) => {
        const svg = drawTimeChart(data, marked, { width, height, isLog, range: [0, length] });
        expect(svg).not.toMatch(/NaN|Infinity|undefined|null/);
        expect(findOverlaps(svg)).toEqual([]);
        expect(findOutside(svg, width, height)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('draws the same values at the same place for any zoom of the rest', () => {
    const line = (range: readonly [number, number]): number[] => {
      const data: TimeChart = {
        ...BASE,
        max: 100,
        axis: { from: 0, step: 10 },
        layers: [{ form: 'line', name: 'a', color: 'client', values: [0, 50, 100] }],
      };
      const svg = drawTimeChart(data, { intervals: [], moments: [] }, { width: 280, height: 126, range });
      return listNumbers(/class="line s-client" d="M([^l]*)l/.exec(svg)![1]!);
    };
    // The plot is 200 x 100 pixels; the first value is at 5 s and 0.
    expect(line([0, 20])).toEqual([50, 100]);
    expect(line([5, 15])).toEqual([0, 100]);
    expect(line([0, 40])).toEqual([25, 100]);
  });
});

const BASE: TimeChart = {
  id: 'a',
  side: 'client',
  title: 'Latency, ms',
  unit: 'ms',
  metrics: [],
  help: '',
  axis: { from: 0, step: 1 },
  layers: [],
};

test('a dot above the axis becomes a mark at its top', () => {
  const svg = drawTimeChart(
    {
      ...BASE,
      layers: [
        { form: 'line', name: 'p50', color: 'client', values: [1, 1] },
        { form: 'dots', name: 'slowest', color: 'client', points: [[1, 500]] },
      ],
    },
    { intervals: [], moments: [] },
    { width: 600, height: 168, range: [0, 2] },
  );
  expect(svg).toContain('class="f-client"');
  expect(svg).not.toContain('class="dots');
});

test('a band without an upper bound ends at the top of the chart', () => {
  const draw = (high: number | null): string =>
    drawTimeChart(
      {
        ...BASE,
        max: 100,
        layers: [{ form: 'band', name: 'p99', color: 'server', low: [50, 50], high: [high, high] }],
      },
      { intervals: [], moments: [] },
      { width: 280, height: 126, range: [0, 2] },
    );
  expect(draw(null)).toBe(draw(100));
  expect(draw(null)).not.toBe(draw(80));
});

test('stacked areas start where the area below ends', () => {
  const svg = drawTimeChart(
    {
      ...BASE,
      max: 100,
      layers: [
        { form: 'area', name: 'running', color: 'server', values: [30, 30] },
        { form: 'area', name: 'waiting', color: 'waiting', values: [20, 20] },
      ],
    },
    { intervals: [], moments: [] },
    { width: 280, height: 126, range: [0, 2] },
  );
  const [running, waiting] = [...svg.matchAll(/class="area [^"]*" d="M([^h]*)/g)].map(
    match => listNumbers(match[1]!)[1],
  );
  expect([running, waiting]).toEqual([70, 50]);
});

test.each<[string, (list: readonly (number | null)[]) => string]>([
  ['a sparkline', list => drawSparkline(list, 'client', { limit: 5 })],
  [
    'a small chart',
    list => drawSmallChart({ label: 'a', color: 'server', values: list, median: list, top: 3, unit: '' }),
  ],
  [
    'a ladder',
    list =>
      drawLadder(
        {
          title: 'a',
          percents: list.map((_, i) => i),
          lines: [{ name: 'a', color: 'client', values: list, low: list, high: list.map(() => null) }],
        },
        400,
        230,
      ),
  ],
  [
    'a heat map',
    list =>
      drawHeatMap(
        {
          side: 'client',
          title: 'a',
          axis: { from: 0, step: 1 },
          edges: [0, 1, null],
          counts: list.map(each => [each ?? 0, 1]),
        },
        600,
        200,
        [0, list.length],
      ),
  ],
  [
    'a split bar',
    list =>
      drawSplitBar(
        list.map(each => ({ color: 'client', share: Math.min(1, each ?? 0) })),
        'a',
      ),
  ],
])('%s has only finite numbers', (_, draw) => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 20 }), list => {
      expect(draw(list)).not.toMatch(/NaN|Infinity|undefined|null/);
    }),
  );
});

test('the parts of a bar cover it exactly, in order', () => {
  const svg = drawSplitBar(
    [
      { color: 'grey', share: 0.25 },
      { color: 'server', share: 0.75 },
    ],
    'a',
  );
  const parts = [...svg.matchAll(/x="([\d.]+)" y="0" width="([\d.]+)"/g)].map(([, x, width]) => [
    Number(x),
    Number(width),
  ]);
  expect(parts).toEqual([
    [0, 250],
    [250, 750],
  ]);
});

test('the time before and after profiling has stripes and names', () => {
  const marks: TimeMarks = { profiling: [0, 20], intervals: [], moments: [] };
  const svg = drawTimeChart(BASE, marks, { width: 680, height: 126, range: [-5, 25] });
  // The plot is 600 pixels wide, so that a second is 20 pixels.
  expect([...svg.matchAll(/class="outside" d="M([\d.]+) 50H([\d.]+)"/g)].map(([, a, b]) => [a, b])).toEqual([
    ['0', '100'],
    ['500', '600'],
  ]);
  expect([...svg.matchAll(/>(warm-up|after the run)</g)].map(([, name]) => name)).toEqual([
    'warm-up',
    'after the run',
  ]);
});

test('a small chart marks the end of a replica that stopped', () => {
  const data = {
    label: 'a',
    color: 'server',
    values: [1, 1, 1],
    median: [1, 1, 1],
    top: 1,
    unit: '',
  } as const;
  expect(drawSmallChart(data)).not.toContain('death');
  // The chart is 200 pixels wide.
  expect(drawSmallChart({ ...data, stop: 1 })).toContain('class="moment death" d="M100 18V64"');
});
