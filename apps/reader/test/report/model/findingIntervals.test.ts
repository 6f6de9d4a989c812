import { createRunFromView, type Finding } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  createDocument,
  downInfo,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../../../../../packages/analysis/test/documents.ts';
import { findIntervals } from '../../../src/report/model/findingIntervals.ts';
import { buildMarks } from '../../../src/report/model/marks.ts';
import { RunTraces } from '../../../src/report/timeline/runTraces.ts';
import type { TimeChart } from '../../../src/svg/timeChartModel.ts';

const AXIS = { bins: 10, width: 2 };
const TRACES = new RunTraces('all scrapes', START_NS, AXIS, AXIS);

const RUN = createRunFromView(
  createDocument(
    {},
    {
      [URL_A]: {
        ...healthyInfo,
        outages: [
          {
            start_ns: START_NS + 4n * SECOND_NS,
            end_ns: START_NS + 7n * SECOND_NS,
            scrapes: 9,
            reason: 'refused',
            message: 'refused',
          },
        ],
      },
      [URL_B]: {
        ...downInfo,
        total_fetches: 20,
        first_fetch_ns: START_NS,
        last_fetch_ns: START_NS + 5n * SECOND_NS,
        first_failure_ns: START_NS + 6n * SECOND_NS,
        last_failure_ns: START_NS + 19n * SECOND_NS,
        status: 'failing',
        last_error: 'refused the connection',
        last_error_reason: 'refused',
      },
    },
  ),
);

function createFinding(id: string, endpoint?: string): Finding {
  const evidence = [{ ...(endpoint !== undefined && { endpoint }), text: '', numbers: {}, magnitude: 1 }];
  return { id, severity: 'problem', title: '', advice: '', evidence };
}

function createChart(id: string, layer: string, values: readonly (number | null)[]): TimeChart {
  return {
    id,
    side: 'server',
    title: '',
    unit: '',
    metrics: [],
    help: '',
    axis: { from: 0, step: 2 },
    layers: [{ form: 'line', name: layer, color: 'server', values }],
  };
}

test.each<[string, string, string, (number | null)[], [number, number][]]>([
  [
    'full-kv-cache',
    'server-kv-cache',
    'used',
    [10, 95, 99, null, 20, 20, 20, 20, 91, 20],
    [
      [2, 6],
      [16, 18],
    ],
  ],
  ['growing-queue', 'server-queue', 'waiting', [0, 0, 1, 2, 6, 8, 9, 4, 0, 0], [[8, 14]]],
  [
    'failed-client-requests',
    'client-requests',
    'failed',
    [0, 0, 0.5, 0, 0, 0, 0, 3, 0, 0],
    [
      [4, 6],
      [14, 16],
    ],
  ],
  ['full-kv-cache', 'server-kv-cache', 'used', [10, 20, 30, 40, 50, 60, 70, 80, 85, 89], []],
  ['spare-capacity', 'server-kv-cache', 'used', [99, 99, 99, 99, 99, 99, 99, 99, 99, 99], []],
])('%s is shaded where %s shows it', (id, chart, layer, values, expected) => {
  const intervals = findIntervals(createFinding(id), 3, RUN, TRACES, [createChart(chart, layer, values)]);
  expect(intervals.map(({ from, to }) => [from, to])).toEqual(expected);
  expect(intervals.every(({ label, kind }) => label === '3' && kind === 'finding')).toBe(true);
});

test('a dead server is shaded from its last scrape to the end', () => {
  expect(findIntervals(createFinding('dead-server', 'down:1'), 1, RUN, TRACES, [])).toEqual([
    { kind: 'finding', from: 5, to: 20, label: '1' },
  ]);
});

test('failed scrapes of one endpoint do not shade the outages of another', () => {
  expect(findIntervals(createFinding('failed-scrapes', 'down:1'), 1, RUN, TRACES, [])).toEqual([]);
  expect(findIntervals(createFinding('failed-scrapes', 'localhost:8000'), 1, RUN, TRACES, [])).toMatchObject([
    { from: 4, to: 7 },
  ]);
});

test('marks deaths and times without samples, with the name of the endpoint if there are several', () => {
  expect(buildMarks(RUN, TRACES, [])).toEqual({
    profiling: [0, 20],
    intervals: [{ kind: 'gap', from: 4, to: 7, label: 'localhost:8000: no scrape' }],
    moments: [{ kind: 'death', seconds: 5, label: 'down:1 stopped responding' }],
  });
});

test('a finding is shaded in the part of the run that its evidence names', () => {
  const range = { startNs: START_NS + 3n * SECOND_NS, endNs: START_NS + 5n * SECOND_NS };
  const evidence = [{ text: '', numbers: {}, magnitude: 1, range }];
  expect(findIntervals({ ...createFinding('sleeping'), evidence }, 2, RUN, TRACES, [])).toEqual([
    { kind: 'finding', from: 3, to: 5, label: '2' },
  ]);
});

test('marks the time of a scrape that took seconds, but not twice if the server was down', () => {
  const [outage] = RUN.endpoints[0]!.availability.outages;
  const gap = (from: bigint, to: bigint): object => ({
    start_ns: START_NS + from * SECOND_NS,
    end_ns: START_NS + to * SECOND_NS,
  });
  const info = { ...healthyInfo, outages: [outage], gaps: [gap(3n, 7n), gap(10n, 15n)] };
  const run = createRunFromView(createDocument({}, { [URL_A]: info }));
  expect(buildMarks(run, TRACES, []).intervals).toEqual([
    { kind: 'gap', from: 4, to: 7, label: 'no scrape' },
    { kind: 'gap', from: 10, to: 15, label: 'no scrape' },
  ]);
});
