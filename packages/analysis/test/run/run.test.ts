import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { createRun, createRunFromView, listSeries } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../documents.ts';

const metrics = {
  'vllm:generation_tokens': createMetric('counter', [createCounter(20), createCounter(40, { url: URL_B })]),
  'vllm:num_requests_running': createMetric('gauge', [createGauge(1)]),
};

test('lists the series of all families', () => {
  const run = createRunFromView(
    createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo }),
    'run1',
  );
  expect([...listSeries(run)].map(({ name, endpoint }) => `${name} ${endpoint}`)).toEqual([
    'vllm:generation_tokens localhost:8000',
    'vllm:generation_tokens down:1',
    'vllm:num_requests_running localhost:8000',
  ]);
  expect([run.name, run.layout, run.seriesCount]).toEqual(['run1', 'json', 3]);
});

test('reads times and durations', () => {
  const { times } = createRunFromView(createDocument(metrics));
  expect(times).toEqual({
    startNs: START_NS,
    endNs: START_NS + 20n * SECOND_NS,
    profilingStartNs: START_NS,
    profilingEndNs: START_NS + 20n * SECOND_NS,
    seconds: 20,
    profilingSeconds: 20,
  });
});

test.each([
  ['2026-11-21T09:53:20.000001Z', START_NS + 1000n],
  ['2026-11-21T11:53:20.5+02:00', START_NS + SECOND_NS / 2n],
  ['2026-11-21T09:53:20.123456789Z', START_NS + 123_456_789n],
])('parses the start time %s', (start_time, expected) => {
  expect(createRunFromView(createDocument(metrics, undefined, { start_time })).times.startNs).toBe(expected);
});

test.each(['2026-11-21T04:53:20', 'yesterday'])(
  'starts with the first scrape if the start time is %s, without a zone',
  start_time => {
    expect(createRunFromView(createDocument(metrics, undefined, { start_time })).times.startNs).toBe(
      START_NS,
    );
  },
);

test('returns a duration of 0 if the clock was set back', () => {
  const { times } = createRunFromView(
    createDocument(metrics, undefined, { end_time: '2026-11-21T09:53:10Z' }),
  );
  expect(times.seconds).toBe(0);
});

test('prefers server metrics to client metrics with the same name', () => {
  const clientMetrics = new Map([
    ['vllm:num_requests_running', { unit: 'requests', avg: 5 }],
    ['request_latency', { unit: 'ms', avg: 5 }],
  ]);
  const run = createRun({
    name: '',
    layout: 'json',
    files: {},
    view: createDocument(metrics),
    clientMetrics,
  });
  expect([...run.families.values()].map(({ name, type }) => `${name} ${type}`)).toEqual([
    'vllm:generation_tokens counter',
    'vllm:num_requests_running gauge',
    'request_latency client',
  ]);
  expect(run.seriesCount).toBe(4);
});

test('reads values that the server metrics lack from the profile export', () => {
  const profile: ProfileExport = {
    schema_version: '1.3',
    aiperf_version: '0.13.0',
    benchmark_id: 'b-2',
    was_cancelled: true,
    start_time: '2026-11-21T09:53:20Z',
    end_time: '2026-11-21T09:53:25Z',
    input_config: { model: 'x' },
  };
  const run = createRun({
    name: '',
    layout: 'csv',
    files: {},
    view: { schema_version: '1.0', metrics: {} },
    profile,
  });
  expect(run).toMatchObject({
    benchmarkId: 'b-2',
    version: '0.13.0',
    wasCancelled: true,
    inputConfig: { model: 'x' },
    times: { seconds: 5 },
    endpoints: [],
  });
});
