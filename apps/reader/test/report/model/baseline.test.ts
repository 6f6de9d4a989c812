import { compareRuns } from '@org/analysis';
import { describe, expect, test } from 'vitest';
import { createMetric } from '../../../../../packages/analysis/test/documents.ts';
import type { Timeline } from '../../../src/report/document.ts';
import { addBaselineToTiles } from '../../../src/report/model/baseline.ts';
import {
  addBaselineToHeatMaps,
  addBaselineToLadders,
  addBaselineToTimeline,
} from '../../../src/report/model/baselineLines.ts';
import type { Tile } from '../../../src/report/model/tile.ts';
import { drawHeatMap } from '../../../src/svg/heatMap.ts';
import type { TimeChart } from '../../../src/svg/timeChartModel.ts';
import { createModelRun, createTestRun, createTokenCounter } from '../../support/comparedRuns.ts';

function createTile(value: string, side: Tile['side'] = 'server'): Tile {
  return {
    id: 'output',
    name: 'Output tokens/s',
    value,
    label: '',
    details: [],
    side,
    color: 'server',
    course: [],
  };
}

/** Creates a run with tokens at this rate, without timeslices. */
function createShortRun(rate: number) {
  const counter = { ...createTokenCounter(rate), timeslices: [] };
  return createTestRun({ 'vllm:generation_tokens': createMetric('counter', [counter], 'tokens') });
}

describe('a tile with a baseline', () => {
  test.each([
    ['worse with its interval', createModelRun(100, 'a'), createModelRun(50, 'a'), /^▲ -50% ±[\d.]+%$/],
    ['without evidence', createModelRun(100, 'a'), createModelRun(100.5, 'a'), /^no evidence of a change$/],
    ['not tested', createShortRun(100), createShortRun(50), /^change not tested$/],
  ])('says that the metric is %s', (_, base, run, change) => {
    const [tile] = addBaselineToTiles([createTile('50')], [createTile('100')], compareRuns([base], [run]));
    expect(tile).toMatchObject({ value: '50', was: 'was 100', change: expect.stringMatching(change) });
  });

  test('says nothing if the baseline was measured on another side', () => {
    const comparison = compareRuns([createModelRun(100, 'a')], [createModelRun(50, 'a')]);
    const tile = createTile('50', 'client');
    expect(addBaselineToTiles([tile], [createTile('100')], comparison)).toEqual([tile]);
  });
});

function createChart(id: string, layers: TimeChart['layers']): TimeChart {
  return {
    id,
    side: 'client',
    title: 'a',
    unit: '',
    metrics: [],
    help: '',
    axis: { from: -1, step: 2 },
    layers,
  };
}

function createTimeline(layers: TimeChart['layers']): Timeline {
  return {
    source: '',
    step: 2,
    sliceStep: 2,
    range: [0, 4],
    start: '',
    marks: { intervals: [], moments: [] },
    columns: [
      { title: '', charts: [createChart('a', layers), createChart('only here', layers)] },
      { title: '', charts: [] },
    ],
    more: [createChart('b', layers)],
    zero: [],
    meanings: {},
  };
}

const LINE = { form: 'line', color: 'client' } as const;
const AREA = { form: 'area', color: 'server' } as const;

test.each<readonly [string, TimeChart['layers'], object]>([
  [
    'the median',
    [
      { ...LINE, name: 'p99', values: [3, 4] },
      { ...LINE, name: 'p50', values: [1, 2] },
    ],
    { name: 'baseline p50', values: [1, 2] },
  ],
  [
    'what was completed, not what was sent',
    [
      { ...LINE, name: 'sent', values: [3, 4] },
      { ...LINE, name: 'completed', values: [1, 2] },
    ],
    { name: 'baseline completed', values: [1, 2] },
  ],
  [
    'the sum of areas',
    [
      { ...AREA, name: 'running', values: [1, 2] },
      { ...AREA, name: 'waiting', values: [3, 4] },
    ],
    { name: 'baseline total', values: [4, 6] },
  ],
])('a chart shows the baseline in dashed grey on its own times: %s', (_, layers, expected) => {
  const base = createTimeline(layers);
  const [column] = base.columns;
  const timeline = addBaselineToTimeline(createTimeline([{ ...LINE, name: 'p50', values: [9] }]), {
    ...base,
    columns: [{ ...column, charts: column.charts.slice(0, 1) }, base.columns[1]],
  });
  const added = { form: 'line', color: 'grey', isDashed: true, axis: { from: -1, step: 2 }, ...expected };
  expect(timeline.columns[0].charts[0]!.layers.at(-1)).toEqual(added);
  expect(timeline.columns[0].charts[1]!.layers).toHaveLength(1);
  expect(timeline.more[0]!.layers.at(-1)).toEqual(added);
});

test('a percentile ladder shows the client of the baseline, and servers only with one series on both sides', () => {
  const line = (name: string) => ({ name, color: 'server', values: [1] }) as const;
  const ladder = { id: 'a', title: '', percents: [50], lines: [line('client'), line('server')] };
  const base = { ...ladder, lines: [line('client'), line('server a'), line('server b')] };
  const [result] = addBaselineToLadders([ladder], [base]);
  expect(result!.lines.slice(2)).toEqual([
    { name: 'baseline client', color: 'grey', values: [1], isDashed: true },
  ]);
});

test('a heat map shows the median of the baseline over time, at its place in the rows', () => {
  const layers = [{ ...LINE, name: 'p50', values: [15, 70, null, 500] }];
  const base = createTimeline(layers);
  const [, second] = base.columns;
  const map = {
    side: 'client',
    title: 'TTFT',
    axis: { from: 0, step: 1 },
    edges: [10, 20, 100],
    counts: [[1, 0]],
  } as const;
  const [client, server] = addBaselineToHeatMaps(
    [
      { ...map, id: 'heat-client' },
      { ...map, id: 'heat-server' },
    ],
    { ...base, columns: [{ title: '', charts: [createChart('client-ttft', layers)] }, second] },
  );
  expect(server).not.toHaveProperty('baseline');
  expect(client!.baseline).toEqual({ axis: { from: -1, step: 2 }, values: [15, 70, null, 500] });
  // The plot is 100 pixels high from y 6, with rows of 50 pixels.
  const drawn = drawHeatMap(client!, 180, 126, [0, 10]);
  const [, path] = /<path class="line s-grey dashed" d="([^"]*)"/.exec(drawn)!;
  // 15 is in the middle of the first row; 70 at 5/8 of the second row; 500 is above the rows.
  expect(path).toBe('M46 81l20-56M106 6h0');
});
