import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimatePolynomialPercentiles } from '@org/core';
import { type LegacyServerMetricsDocument, validate } from '@org/formats';
import { readServerMetrics, readServerMetricsJson } from '@org/formats/read';
import { streamLegacyServerMetricsJson } from '@org/formats/write';
import { describe, expect, test } from 'vitest';
import { createExportView } from '../../src/view/exportView.ts';
import { streamLegacyServerMetrics } from '../../src/view/legacyServerMetrics.ts';
import { createEndpointRecord, createRunRecord } from '../support/runRecord.ts';

const url = 'http://localhost:10000/metrics';
const createHistogram = (sum: number, ...counts: readonly number[]) => ({
  sum,
  count: counts.at(-1)!,
  buckets: Object.fromEntries(['0.5', '1', '12', '+Inf'].map((le, index) => [le, counts[index]!])),
});
const createSummary = (sum: number, count: number) => ({
  sum,
  count,
  quantiles: { '0.5': 0.12, '0.9': 0.25, '0.95': 0.35, '0.99': 0.5 },
});

const run = createRunRecord(
  [
    createEndpointRecord(
      url,
      {
        inflight: 'gauge',
        context_length: 'gauge',
        output_tokens: 'counter',
        duration_seconds: 'histogram',
        rpc_seconds: 'summary',
        guess: 'unknown',
        'vllm:cache_config_info': 'gauge',
      },
      [
        [0, createRow(1, 100, createHistogram(1, 0, 1, 1, 1), createSummary(10, 100))],
        [1, createRow(1, 100, createHistogram(1, 0, 1, 1, 1), createSummary(10, 100))],
        [2, createRow(3, 120, createHistogram(3, 0, 2, 3, 3), createSummary(12, 120))],
        [2.5, createRow(8, 170, createHistogram(21, 0, 2, 5, 6), createSummary(85, 600))],
        [5, createRow(8, 170, createHistogram(21, 0, 2, 5, 6), createSummary(160, 1100))],
      ],
    ),
    createEndpointRecord('http://localhost:10001/metrics', {}, []),
  ],
  1,
  5,
);

function createRow(
  gauge: number,
  counter: number,
  histogram: ReturnType<typeof createHistogram>,
  summary: ReturnType<typeof createSummary>,
): Record<string, number | ReturnType<typeof createHistogram> | ReturnType<typeof createSummary>> {
  return {
    'inflight{model=m}': gauge,
    context_length: 40960,
    'output_tokens{status=ok}': counter,
    'output_tokens{status=error}': 3,
    'duration_seconds{model=m}': histogram,
    'duration_seconds{model=idle}': createHistogram(5, 1, 2, 3, 4),
    'rpc_seconds{model=m}': summary,
    'vllm:cache_config_info{block_size=16,cache_dtype=auto}': 1,
    guess: gauge,
  };
}

const text = [
  ...streamLegacyServerMetricsJson(
    streamLegacyServerMetrics(createExportView(run), { estimator: estimatePolynomialPercentiles }),
  ),
].join('');
const document = JSON.parse(text) as LegacyServerMetricsDocument;
const [getSeries, createOrigin] = [
  (name: string) => document.metrics[name]!.series,
  (labels: object | null) => ({ endpoint: 'localhost:10000', endpoint_url: url, labels }),
];

test('writes a valid document that is read back as the flat layout', async () => {
  expect(await validate(text, { strict: true })).toEqual({
    document: 'server-metrics',
    version: 'legacy',
    valid: true,
    issues: [],
    moreIssues: 0,
  });
  expect(await readServerMetricsJson(text)).toEqual(document);
  const view = await readServerMetrics(text);
  expect(view.metrics.output_tokens).toMatchObject({
    series: [{ stats: { total: 0 } }, { stats: { total: 70 } }],
  });
});

test('identifies endpoints by host and port', () => {
  expect(document.summary).toEqual({
    endpoints_configured: ['localhost:10000', 'localhost:10001'],
    endpoints_successful: ['localhost:10000'],
    start_time: '2025-12-13T08:50:37.721140Z',
    end_time: '2025-12-13T08:52:17.721140Z',
    endpoint_info: {
      'localhost:10000': {
        endpoint_url: url,
        duration_seconds: 5,
        scrape_count: 5,
        avg_scrape_latency_ms: 2,
        avg_scrape_period_ms: 1250,
      },
    },
  });
});

test('exports four percentiles of a gauge, and only the value of a constant gauge', () => {
  expect(getSeries('inflight')).toEqual([
    {
      ...createOrigin({ model: 'm' }),
      avg: 5,
      min: 1,
      max: 8,
      std: expect.closeTo(3.559026, 6),
      p50: 5.5,
      p90: 8,
      p95: 8,
      p99: 8,
      estimated_percentiles: false,
    },
  ]);
  expect(getSeries('context_length')).toEqual([{ ...createOrigin(null), observation_count: 1, avg: 40960 }]);
  expect(document.metrics.guess!.type).toBe('unknown');
});

test('computes counter rates between changes, and gives an idle counter only a delta', () => {
  expect(getSeries('output_tokens')).toEqual([
    { ...createOrigin({ status: 'error' }), delta: 0 },
    {
      ...createOrigin({ status: 'ok' }),
      delta: 70,
      rate_per_second: 70 / 5,
      rate_avg: 28,
      rate_min: 10,
      rate_max: 100,
      rate_std: expect.closeTo(90 / Math.SQRT2, 9),
    },
  ]);
});

test('exports the sum of a histogram as delta, and only the count without observations', () => {
  const [idle, busy] = getSeries('duration_seconds');
  expect(idle).toEqual({ ...createOrigin({ model: 'idle' }), observation_count: 0 });
  expect(busy).toMatchObject({
    observation_count: 5,
    avg: 4,
    delta: 20,
    rate_per_second: 4,
    observations_per_second: 1,
    estimated_percentiles: true,
    buckets: { '0.5': 0, '1': 1, '12': 4, '+Inf': 5 },
  });
});

test('lists the quantiles of a summary, and the common ones as percentiles', () => {
  expect(getSeries('rpc_seconds')).toEqual([
    {
      ...createOrigin({ model: 'm' }),
      observation_count: 1000,
      avg: 0.15,
      p50: 0.12,
      p90: 0.25,
      p95: 0.35,
      p99: 0.5,
      estimated_percentiles: false,
      delta: 150,
      rate_per_second: 30,
      observations_per_second: 200,
      quantiles: { '0.5': 0.12, '0.9': 0.25, '0.95': 0.35, '0.99': 0.5 },
    },
  ]);
});

test('exports only labels of an _info family', () => {
  expect(document.metrics['vllm:cache_config_info']).toEqual({
    type: 'gauge',
    description: 'Help of vllm:cache_config_info',
    unit: 'info',
    series: [createOrigin({ block_size: '16', cache_dtype: 'auto' })],
  });
});

test('clamps values and omits buckets after a reset', async () => {
  const restarted = createRunRecord(
    [
      createEndpointRecord(url, { c: 'counter', only_fell: 'counter', d: 'histogram' }, [
        [0, { c: 10, only_fell: 9, d: createHistogram(8, 1, 2, 3, 4) }],
        [1, { c: 20, only_fell: 9, d: createHistogram(9, 1, 2, 3, 5) }],
        [2, { c: 12, only_fell: 4, d: createHistogram(1, 0, 1, 1, 1) }],
      ]),
    ],
    1,
    2,
  );
  const stream = streamLegacyServerMetrics(createExportView(restarted), {
    estimator: estimatePolynomialPercentiles,
  });
  const restartedText = [...streamLegacyServerMetricsJson(stream)].join('');
  const { metrics } = JSON.parse(restartedText) as LegacyServerMetricsDocument;
  expect(metrics.c!.series).toEqual([
    {
      ...createOrigin(null),
      delta: 2,
      rate_per_second: 1,
      rate_avg: 10,
      rate_min: 10,
      rate_max: 10,
      rate_std: 0,
    },
  ]);
  expect(metrics.only_fell!.series).toEqual([{ ...createOrigin(null), delta: 0 }]);
  expect(metrics.d!.series).toEqual([{ ...createOrigin(null), observation_count: 0 }]);
  expect(await validate(restartedText)).toMatchObject({ valid: true });
});

const seed = join(
  process.env.SERVELENS_SHARED ?? join(import.meta.dirname, '../../../../../shared'),
  'seeds/003_de8e562727122a2e.txt',
);
if (!existsSync(seed)) console.warn(`skipped: no shared test data at ${seed} (set SERVELENS_SHARED)`);

describe.skipIf(!existsSync(seed))('fields of the documented examples, in order', () => {
  const examples = existsSync(seed)
    ? [...readFileSync(seed, 'utf8').matchAll(/```json\n(\{[\s\S]*?\n\})\n```/g)]
        .filter(([, json]) => json!.includes('"endpoint_url"') && !json!.includes('...'))
        .map(([, json]) => Object.keys(JSON.parse(json!)))
    : [];
  const exportedFields = [
    'inflight',
    'context_length',
    'output_tokens',
    'duration_seconds',
    'rpc_seconds',
    'vllm:cache_config_info',
  ].flatMap(name => getSeries(name).map(series => Object.keys(series)));

  test('finds seven examples of series', () => expect(examples).toHaveLength(7));

  test.each(examples)('exports a series with the fields %s …', (...keys) => {
    expect(exportedFields).toContainEqual(keys);
  });
});
