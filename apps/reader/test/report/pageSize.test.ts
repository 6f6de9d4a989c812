import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  createTempFolder,
  healthyInfo,
  START_NS,
  toJson,
} from '../../../../packages/analysis/test/documents.ts';
import { createNormal } from '../../../../packages/analysis/test/trend/series.ts';
import { runReader, writeTestFile } from '../support/runReader.ts';

const { path: folder, remove } = createTempFolder('page-size');
afterAll(remove);

const GAUGES = ['num_requests_running', 'num_requests_waiting', 'kv_cache_usage_perc', 'lora_slots'];
const COUNTERS = ['generation_tokens', 'prompt_tokens', 'num_preemptions', 'prefix_cache_hits'];
const HISTOGRAMS = [
  ...['e2e_request_latency_seconds', 'time_to_first_token_seconds', 'inter_token_latency_seconds'],
  ...['request_queue_time_seconds', 'request_prefill_time_seconds', 'request_decode_time_seconds'],
];

/** Creates the export of servers whose values are noise, so that they cannot be compressed much. */
function createExport(endpoints: number, slices: number): ReturnType<typeof createDocument> {
  const normal = createNormal(7);
  const urls = Array.from({ length: endpoints }, (_, i) => `http://node-${i}:8000/metrics`);
  const createMetrics = (
    names: readonly string[],
    type: string,
    create: (url: string, values: number[]) => object,
  ): [string, object][] =>
    names.map(name => {
      const draw = (): number[] => Array.from({ length: slices }, () => Math.abs(normal(20, 5)));
      const unit = name.endsWith('_seconds') ? 'seconds' : undefined;
      return [
        `vllm:${name}`,
        createMetric(
          type,
          urls.map(url => create(url, draw())),
          unit,
        ),
      ];
    });
  const metrics = [
    ...createMetrics(GAUGES, 'gauge', (url, values) => createGauge(20, { url, slices: values })),
    ...createMetrics(COUNTERS, 'counter', (url, values) => createCounter(1000, { url, slices: values })),
    ...createMetrics(HISTOGRAMS, 'histogram', (url, values) =>
      createHistogram(1000, 20, { url, slices: values }),
    ),
  ];
  const seconds = BigInt(2 * slices);
  return createDocument(
    Object.fromEntries(metrics),
    Object.fromEntries(urls.map(url => [url, healthyInfo])),
    {
      end_time: new Date(Number(START_NS / 1_000_000n) + 2000 * slices).toISOString(),
      profiling_end_ns: START_NS + seconds * 1_000_000_000n,
    },
  );
}

/** Formats the requests of a client: 10 per second, with noisy latencies. */
function formatRequests(count: number): string {
  const normal = createNormal(11);
  return Array.from({ length: count }, (_, i) => {
    const [first, between] = [Math.abs(normal(80, 30)), Math.abs(normal(8, 1))];
    const latency = first + 127 * between;
    const startNs = START_NS + BigInt(i) * 100_000_000n;
    const metrics = {
      time_to_first_token: { value: first, unit: 'ms' },
      inter_token_latency: { value: between, unit: 'ms' },
      request_latency: { value: latency, unit: 'ms' },
      output_sequence_length: { value: 128, unit: 'tokens' },
    };
    const endNs = startNs + BigInt(Math.round(latency * 1e6));
    return `{"metadata":{"session_num":${i},"request_start_ns":${startNs},"request_end_ns":${endNs},"benchmark_phase":"profiling","was_cancelled":false},"metrics":${JSON.stringify(metrics)},"error":null}\n`;
  }).join('');
}

/** The maximum size of a page, in bytes. */
const MAX_BYTES = 250_000;

/** Writes a run with its requests. */
function writeRun(name: string, endpoints: number, slices: number, requests = 0): string {
  writeTestFile(folder, `${name}/server_metrics_export.json`, toJson(createExport(endpoints, slices)));
  if (requests > 0) writeTestFile(folder, `${name}/profile_export.jsonl`, formatRequests(requests));
  return join(folder, name);
}

/** Writes a page with a command. Returns its size in bytes, and the names of its charts. */
async function measurePage(...args: readonly string[]): Promise<{ size: number; charts: string[] }> {
  const page = join(folder, 'page.html');
  const { code, err } = await runReader([...args, page]);
  expect([code, err]).toEqual([0, '']);
  const html = readFileSync(page);
  const charts = [...html.toString().matchAll(/data-chart="([^"]*)"/g)].map(([, id]) => id!);
  return { size: html.length, charts };
}

test.each([
  [
    'a run of 10 minutes with 8 endpoints and 6,000 requests',
    8,
    300,
    6000,
    ['client-ttft', 'server-kv-cache', 'request-dots'],
  ],
  ['a run with 60 endpoints', 60, 60, 0, ['server-kv-cache']],
])('the page of %s is smaller than 250 KB', async (_, endpoints, slices, requests, names) => {
  const run = writeRun(`run-${endpoints}`, endpoints, slices, requests);
  const { size, charts } = await measurePage('report', run, '--output');
  expect(size).toBeLessThan(MAX_BYTES);
  expect(charts).toEqual(expect.arrayContaining(names));
});

test('the page of a comparison of two runs of 10 minutes is smaller than 250 KB', async () => {
  const runs = ['base', 'new'].map(name => writeRun(name, 1, 300, 6000));
  const { size, charts } = await measurePage('compare', ...runs, '--html');
  expect(size).toBeLessThan(MAX_BYTES);
  expect(charts).toEqual(expect.arrayContaining(['strip-ttft', 'strip-kv-cache']));
});
