import { expect, test } from 'vitest';
import { distinguishSeries, findKeyMetrics } from '../../src/keyMetrics/keyMetrics.ts';
import { createRun, createRunFromView } from '../../src/run/run.ts';
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

const infos = { [URL_A]: healthyInfo, [URL_B]: healthyInfo };

test('finds the key metrics of every server and of the client, in the order of the definitions', () => {
  const view = createDocument({
    'sglang:num_queue_reqs': createMetric('gauge', [createGauge(1)]),
    'vllm:generation_tokens': createMetric('counter', [createCounter(20, { slices: [1, 2] })], 'tokens'),
    'vllm:num_requests_running': createMetric('gauge', [createGauge(3), createGauge(4, { url: URL_B })]),
    'vllm:unknown_metric': createMetric('gauge', [createGauge(1)]),
  });
  const clientMetrics = new Map([['request_latency', { unit: 'ms', avg: 5 }]]);
  const run = createRun({ name: '', layout: 'json', files: {}, view, clientMetrics });
  expect(
    findKeyMetrics(run).map(({ server, metrics }) => [
      server.name,
      ...metrics.map(({ metric: { name }, endpoint }) => `${name} ${endpoint}`),
    ]),
  ).toEqual([
    [
      'vLLM',
      'vllm:num_requests_running localhost:8000',
      'vllm:num_requests_running down:1',
      'vllm:generation_tokens localhost:8000',
    ],
    ['SGLang', 'sglang:num_queue_reqs localhost:8000'],
    ['Client', 'request_latency client'],
  ]);
});

test('reads statistics and the trend of complete slices', () => {
  const tokens = createCounter(20, { slices: [1, 2, 3] }) as { timeslices: object[] };
  tokens.timeslices[2] = { ...tokens.timeslices[2], is_complete: false };
  const run = createRunFromView(
    createDocument({ 'vllm:generation_tokens': createMetric('counter', [tokens], 'tokens') }, undefined, {
      profiling_end_ns: START_NS + 5n * SECOND_NS,
    }),
  );
  const [vllm] = findKeyMetrics(run);
  expect(vllm!.metrics[0]).toMatchObject({
    type: 'counter',
    unit: 'tokens',
    stats: { total: 20, rate: 1 },
    trend: [1, 2],
  });
});

test.each<[string, object[], unknown]>([
  ['a single series', [createGauge(1, { labels: { model: 'a' } })], [[]]],
  [
    'labels that differ',
    [
      createGauge(1, { labels: { model: 'a', rank: '0' } }),
      createGauge(1, { labels: { model: 'a', rank: '1' } }),
    ],
    [[{ label: 'rank', value: '0' }], [{ label: 'rank', value: '1' }]],
  ],
  [
    'a label that one series lacks',
    [createGauge(1, { labels: { rank: '0' } }), createGauge(1)],
    [[{ label: 'rank', value: '0' }], []],
  ],
  [
    'a label that is empty for one series',
    [createGauge(1, { labels: { error: '' } }), createGauge(1, { labels: { error: 'overload' } })],
    [[], [{ label: 'error', value: 'overload' }]],
  ],
  [
    'endpoints',
    [createGauge(1), createGauge(1, { url: URL_B })],
    [[{ value: 'localhost:8000' }], [{ value: 'down:1' }]],
  ],
])('distinguishes series by %s', (_, series, expected) => {
  const run = createRunFromView(
    createDocument({ 'vllm:num_requests_running': createMetric('gauge', series) }, infos),
  );
  expect(distinguishSeries(findKeyMetrics(run)[0]!.metrics)).toEqual(expected);
});

test('gives all trends of a run the same time axis, with null where a series has no value', () => {
  const late = createGauge(3, { url: URL_B, slices: [0, 0, 0, 7, 8] }) as { timeslices: object[] };
  late.timeslices.splice(0, 3);
  const dead = createCounter(20, { slices: [5, 6, 7, 0, 0] }) as { timeslices: object[] };
  dead.timeslices = dead.timeslices.map((slice, i) => (i < 3 ? slice : { ...slice, is_gap: true }));
  const slow = createGauge(3, { labels: { slow: 'yes' }, slices: [1, 2, 3] }) as { timeslices: object[] };
  slow.timeslices = [
    { start_ns: START_NS, end_ns: START_NS + 5n * SECOND_NS, avg: 1, min: 1, max: 1 },
    { start_ns: START_NS + 5n * SECOND_NS, end_ns: START_NS + 10n * SECOND_NS, avg: 3, min: 3, max: 3 },
  ];
  const view = createDocument(
    {
      'vllm:num_requests_running': createMetric('gauge', [late, slow]),
      'vllm:generation_tokens': createMetric('counter', [dead], 'tokens'),
    },
    infos,
    { profiling_end_ns: START_NS + 14n * SECOND_NS },
  );
  const [vllm] = findKeyMetrics(createRunFromView(view));
  expect(vllm!.metrics.map(({ trend }) => trend)).toEqual([
    [null, null, null, 7, 8, null, null],
    [1, 1, 2, 3, 3, null, null],
    [5, 6, 7, null, null, null, null],
  ]);
});
