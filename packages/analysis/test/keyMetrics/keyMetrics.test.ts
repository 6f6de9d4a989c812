import { expect, test } from 'vitest';
import { distinguishSeries, findKeyMetrics } from '../../src/keyMetrics/keyMetrics.ts';
import { createRun, createRunFromView } from '../../src/run/run.ts';
import { counter, document, gauge, healthyInfo, metric, URL_A, URL_B } from '../documents.ts';

const infos = { [URL_A]: healthyInfo, [URL_B]: healthyInfo };

test('finds the key metrics of every server and of the client, in the order of the definitions', () => {
  const view = document({
    'sglang:num_queue_reqs': metric('gauge', [gauge(1)]),
    'vllm:generation_tokens': metric('counter', [counter(20, { slices: [1, 2] })], 'tokens'),
    'vllm:num_requests_running': metric('gauge', [gauge(3), gauge(4, { url: URL_B })]),
    'vllm:unknown_metric': metric('gauge', [gauge(1)]),
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
  const tokens = counter(20, { slices: [1, 2, 3] }) as { timeslices: object[] };
  tokens.timeslices[2] = { ...tokens.timeslices[2], is_complete: false };
  const run = createRunFromView(
    document({ 'vllm:generation_tokens': metric('counter', [tokens], 'tokens') }),
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
  ['a single series', [gauge(1, { labels: { model: 'a' } })], [[]]],
  [
    'labels that differ',
    [gauge(1, { labels: { model: 'a', rank: '0' } }), gauge(1, { labels: { model: 'a', rank: '1' } })],
    [[{ label: 'rank', value: '0' }], [{ label: 'rank', value: '1' }]],
  ],
  [
    'a label that one series lacks',
    [gauge(1, { labels: { rank: '0' } }), gauge(1)],
    [[{ label: 'rank', value: '0' }], []],
  ],
  ['endpoints', [gauge(1), gauge(1, { url: URL_B })], [[{ value: 'localhost:8000' }], [{ value: 'down:1' }]]],
])('distinguishes series by %s', (_, series, expected) => {
  const run = createRunFromView(document({ 'vllm:num_requests_running': metric('gauge', series) }, infos));
  expect(distinguishSeries(findKeyMetrics(run)[0]!.metrics)).toEqual(expected);
});
