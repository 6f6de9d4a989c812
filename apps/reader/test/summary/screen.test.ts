import { createRun, createRunFromView, type Run } from '@org/analysis';
import type { ServerMetricsView } from '@org/formats/read';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import * as documents from '../../../../packages/analysis/test/documents.ts';
import { renderRun, renderSummary } from '../../src/summary/screen.ts';
import {
  CLUSTER,
  createHostileRun,
  createVllmMetrics,
  INCOMPLETE_RUNS,
  RISING,
} from '../support/summarizedRuns.ts';

const createGaugeStats = (avg: number) => ({
  avg,
  min: 0,
  max: 2 * avg,
  std: 1,
  p1: 0,
  p5: 0,
  p10: 0,
  p25: 1,
  p50: avg,
  p75: avg,
  p90: avg,
  p95: avg,
  p99: 1.5 * avg,
});
const createSeries = (
  labels: Record<string, string>,
  stats: object,
  endpoint_url = 'http://localhost:8000/metrics',
) => ({ endpoint_url, labels, stats });

const document = {
  schema_version: '1.0',
  summary: {
    endpoints_configured: ['http://localhost:8000/metrics', 'http://down:1/metrics'],
    endpoints_successful: ['http://localhost:8000/metrics'],
    start_time: '2026-11-21T08:00:00.000000Z',
    end_time: '2026-11-21T08:03:20.000000Z',
    endpoint_info: {
      'http://localhost:8000/metrics': {
        total_fetches: 600,
        avg_fetch_latency_ms: 2.5,
        scrapes_late: 3,
        status: 'active',
      },
      'http://down:1/metrics': {
        total_fetches: 0,
        status: 'no_data',
        scrapes_failed: 7,
        last_error: 'refused the connection',
      },
    },
  },
  metrics: {
    'vllm:num_requests_running': {
      type: 'gauge',
      description: '',
      unit: 'requests',
      series: [createSeries({ engine: '0' }, createGaugeStats(12))],
    },
    'vllm:num_preemptions': {
      type: 'counter',
      description: '',
      series: [createSeries({}, { total: 4, rate: 0.5 })],
    },
    'vllm:e2e_request_latency_seconds': {
      type: 'histogram',
      description: '',
      unit: 'seconds',
      series: [createSeries({}, { count: 100, avg: 1.5, p99_estimate: 4.25 })],
    },
    'vllm:prompt_tokens_by_source': {
      type: 'counter',
      description: '',
      unit: 'tokens',
      series: ['a', 'b', 'c', 'd', 'e', 'f'].map((source, i) =>
        createSeries({ source, engine: '0' }, { total: 10 * i, rate: i }),
      ),
    },
    other: { type: 'gauge', description: '', series: [createSeries({}, createGaugeStats(1))] },
  },
} as unknown as ServerMetricsView;

const render = (view = document, width = 80, color = false): string => renderSummary(view, { width, color });

test('shows the state of each endpoint', () => {
  const text = render();
  expect(text).toContain('3 min 20 s, 5 metrics in 10 series');
  expect(text).toContain('✓ http://localhost:8000/metrics  600 scrapes, 2.5 ms each, 3 skipped');
  expect(text).toContain('✗ http://down:1/metrics  7 failed, no data, last error: refused the connection\n');
  expect(render(document, 100)).toContain('✗ http://down:1/metrics  7 failed, no data');
});

test.each<[object, string]>([
  [
    { profiling_start_ns: 1_000_000_000n, profiling_end_ns: 9_000_000_000n },
    'profiling 8 s of 3 min 20 s, 5',
  ],
  [{ profiling_start_ns: 1n }, 'Server metrics  3 min 20 s, 5'],
  [{ was_cancelled: true }, '3 min 20 s, interrupted, 5 metrics'],
  [{ was_cancelled: false }, '3 min 20 s, 5 metrics'],
])('shows the period of %o', (summary, text) => {
  expect(render({ ...document, summary: { ...document.summary!, ...summary } })).toContain(text);
});

test('shows the key metrics of the server', () => {
  const text = render();
  expect(text).toMatch(/num_requests_running\s+12\s+18\s+24/);
  expect(text).toMatch(/num_preemptions\s+4\s+0\.5/);
  expect(text).toMatch(/e2e_request_latency_seconds\s+1\.5 s\s+4\.25 s\s+100/);
  expect(text).not.toContain('other');
});

test('labels series by differing labels, busiest first, and counts omitted series', () => {
  const text = render();
  expect(text.indexOf('source=f')).toBeGreaterThan(0);
  expect(text.indexOf('source=f')).toBeLessThan(text.indexOf('source=e'));
  expect(text).not.toContain('source=a');
  expect(text).not.toContain('engine=0');
  expect(text).toContain('and 2 more');
});

test.each([40, 60, 69, 70, 80, 100, 200])('fits %d columns', width => {
  const rows = render(document, width).split('\n');
  expect(Math.max(...rows.map(line => stringWidth(line)))).toBeLessThanOrEqual(width);
});

const createTritonView = (endpoint: (i: number) => string, labels: Record<string, string> = {}) =>
  ({
    schema_version: '1.0',
    metrics: {
      nv_inference_request_duration_us: {
        type: 'counter',
        description: '',
        unit: 'microseconds',
        series: [0, 1].map(i => createSeries(labels, { total: 10_060_000, rate: 4_228_000 }, endpoint(i))),
      },
      nv_gpu_memory_used_bytes: {
        type: 'gauge',
        description: '',
        unit: 'bytes',
        series: [createSeries({}, createGaugeStats(71.71 * 2 ** 30))],
      },
    },
  }) as unknown as ServerMetricsView;

test('formats rates of durations as durations, and never truncates numbers', () => {
  const text = render(createTritonView(i => `http://host:${i}/metrics`));
  expect(text).toMatch(/host:0\s+10\.06 s\s+4\.228 s/);
  expect(text).toMatch(/gpu_memory_used_bytes\s+71\.7 GiB\s+108 GiB\s+143 GiB/);
});

test('distinguishes endpoints of one host', () => {
  const text = render(
    createTritonView(i => `http://a-host-with-a-long-name.cluster:9101/metrics?i=${i}`),
    60,
  );
  expect(text).toMatch(/a-host-with-a-long-name.cluster:9101\?i=0/);
  expect(text).toMatch(/a-host-with-a-long-name.cluster:9101\?i=1/);
});

const { URL_A, URL_B, healthyInfo, createMetric } = documents;

const renderLines = (run: Run, width = 80, height = 24): string[] =>
  renderRun(run, { width, height, color: false }).split('\n');

test.each([80, 100, 160])('fits a cluster with many problems into %d columns and 24 lines', width => {
  const screen = renderLines(CLUSTER, width);
  expect(screen.length).toBeLessThan(24);
  expect(Math.max(...screen.map(line => stringWidth(line)))).toBeLessThanOrEqual(width);
  expect(screen.join('\n')).toMatch(/num_preemptions ×12 .* 60/);
  expect(screen.join('\n')).toMatch(/✗ an endpoint returned no data {2}down:1: refused the connection/);
});

test('fits the first metrics of two servers into 20 lines', () => {
  const sglang = [
    'num_running_reqs',
    'num_queue_reqs',
    'token_usage',
    'gen_throughput',
    'cache_hit_rate',
  ].map(
    name =>
      [
        `sglang:${name}`,
        createMetric('gauge', [documents.createGauge(0.5, { url: URL_B, slices: RISING })]),
      ] as const,
  );
  const run = createRunFromView(
    documents.createDocument(
      { ...createVllmMetrics([URL_A]), ...Object.fromEntries(sglang) },
      { [URL_A]: healthyInfo, [URL_B]: healthyInfo },
    ),
    'two',
  );
  const screen = renderLines(run, 100, 20);
  expect(screen.length).toBeLessThan(20);
  expect(screen.filter(line => /^ and \d+ more metrics$/.test(line))).toHaveLength(2);
  expect(screen.join('\n')).toMatch(
    /num_requests_running.*num_requests_waiting.*num_running_reqs.*num_queue_reqs/s,
  );
  expect(renderLines(run, 80, 100).join('\n')).not.toMatch(/more metrics/);
});

test('shows individual series and all advice if there is space', () => {
  const screen = renderLines(CLUSTER, 100, 200).join('\n');
  expect(screen).toMatch(/node0:8000/);
  expect(screen).toContain('Increase the memory for the KV cache (--gpu-memory-utilization)');
  expect(screen).not.toContain('×12');
});

test.each<[keyof typeof INCOMPLETE_RUNS, RegExp]>([
  [
    'empty',
    /0 metrics in 0 series\n\n✗ the run has no server metrics {2}0 series\n {2}Set --server-metrics[^\n]+$/,
  ],
  ['endpointDown', /✗ http:\/\/down:1\/metrics {2}7 failed, no data/],
  ['recovered', /interrupted, 8 metrics[\s\S]*! the run was interrupted/],
  ['csv', /^x\.csv {2}8 metrics in 8 series/],
  ['unknownServer', /Unknown server +avg +p50 +p99 +max[\s\S]* up +1 +1 +2 +2\n/],
])('shows what is missing in an incomplete run: %s', (name, text) => {
  expect(renderLines(INCOMPLETE_RUNS[name], 100, 60).join('\n')).toMatch(text);
});

test.each([
  { name: 'no metrics', metrics: {}, sentences: 0 },
  {
    name: 'metrics of an unknown program',
    metrics: { python_info: createMetric('gauge', [documents.createGauge(1)]) },
    sentences: 1,
  },
])('the sentence about unknown servers does not repeat the finding: $name', ({ metrics, sentences }) => {
  const screen = renderLines(createRunFromView(documents.createDocument(metrics), 'other')).join('\n');
  expect(screen.match(/No metrics of a known inference server/g) ?? []).toHaveLength(sentences);
});

test('summarizes 100,000 series', () => {
  const series = Array.from({ length: 20_000 }, (_, i) =>
    documents.createCounter(i, { labels: { i: String(i) } }),
  );
  const names = ['vllm:generation_tokens', 'vllm:prompt_tokens', 'vllm:request_success', 'a', 'b'];
  const metrics = Object.fromEntries(names.map(name => [name, createMetric('counter', series)]));
  const screen = renderLines(createRunFromView(documents.createDocument(metrics), 'large'));
  expect(screen.length).toBeLessThan(24);
  expect(screen.join('\n')).toMatch(/5 metrics in 100000 series[\s\S]*and 19996 more/);
});

test('shows client and server metrics', () => {
  const run = createRun({
    name: 'both',
    layout: 'json',
    files: {},
    view: documents.createDocument(createVllmMetrics([URL_A])),
    profile: {
      schema_version: '1.1',
      request_latency: { unit: 'ms', avg: 2620.5, p99: 3371.25, max: 3411.5, count: 20 },
    } as never,
  });
  expect(renderLines(run, 100, 60).join('\n')).toMatch(
    /Client[\s\S]*request_latency +2\.62\d s +3\.371 s +3\.41\d s +20/,
  );
});

test('shows control characters of servers as symbols', () => {
  const screen = renderLines(createHostileRun(), 300, 100).join('\n');
  for (const character of ['\u001b', '\u202e']) expect(screen).not.toContain(character);
  expect(screen).toContain('␛[31m<img');
});
