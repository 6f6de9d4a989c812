import { expect, test } from 'vitest';
import { moveClock } from '../../../src/report/model/clock.ts';
import type { Course } from '../../../src/report/model/course.ts';
import type { TimeChart } from '../../../src/svg/timeChartModel.ts';

const CHART: TimeChart = {
  id: 'a',
  side: 'client',
  title: 'Latency of requests, ms',
  unit: 'ms',
  metrics: [],
  help: '',
  axis: { from: 0, step: 2 },
  layers: [
    { form: 'line', name: 'p50', color: 'client', values: [1, 2] },
    { form: 'dots', name: 'slowest requests', color: 'client', points: [[6, 9, 7]] },
    { form: 'events', name: 'preemptions', color: 'failed', times: [7] },
  ],
  load: { name: 'in flight', values: [3], axis: { from: 0, step: 1 } },
};

const COURSE: Course = {
  timeline: {
    source: 'all scrapes',
    step: 2,
    sliceStep: 2,
    range: [0, 60],
    start: '2026-11-23T18:00:00.000Z',
    marks: {
      profiling: [5.5, 50],
      intervals: [{ kind: 'gap', from: 20, to: 30, label: 'no scrape' }],
      moments: [{ kind: 'death', seconds: 22.5, label: 'died' }],
    },
    columns: [
      { title: 'client', charts: [CHART] },
      { title: 'server', charts: [] },
    ],
    more: [CHART],
    meanings: {},
    zero: [],
  },
  charts: [CHART],
  findings: [
    { id: 'a', severity: 'info', title: 'a', advice: '', evidence: [], intervals: [[22.5, 50]] },
  ] as unknown as Course['findings'],
  heatMaps: [
    { id: 'h', side: 'client', title: 'h', axis: { from: 0, step: 4 }, edges: [0, 1], counts: [[1]] },
  ],
  replicas: [],
  requests: {
    count: 1,
    missing: 0,
    missingFailed: 0,
    rows: [
      { record: 1, sent: 8, outcome: 'ok', firstToken: 3, interToken: null, latency: 5, outputTokens: null },
    ],
    value: 'firstToken',
  },
};

test('counts all times on the page from the start of profiling', () => {
  const { timeline, charts, findings, heatMaps, requests } = moveClock(COURSE, 5.5);
  expect(timeline).toMatchObject({
    range: [-5.5, 54.5],
    start: '2026-11-23T18:00:05.500Z',
    marks: {
      profiling: [0, 44.5],
      intervals: [{ from: 14.5, to: 24.5 }],
      moments: [{ seconds: 17 }],
    },
  });
  const moved = {
    axis: { from: -5.5, step: 2 },
    layers: [{ values: [1, 2] }, { points: [[0.5, 9, 7]] }, { times: [1.5] }],
    load: { axis: { from: -5.5, step: 1 } },
  };
  expect([charts[0], timeline!.columns[0].charts[0], timeline!.more[0]]).toMatchObject([moved, moved, moved]);
  expect(findings[0]!.intervals).toEqual([[17, 44.5]]);
  expect(heatMaps[0]!.axis).toEqual({ from: -5.5, step: 4 });
  expect(requests).toMatchObject({ rows: [{ sent: 2.5, firstToken: 3 }] });
});
