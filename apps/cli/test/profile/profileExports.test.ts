import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ProfileRecord, ServerMetricsDocument } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type ClientExports,
  computePercentile,
  type FolderResult,
  getMetric,
  MODEL,
  readClientExports,
  runProfile,
  runProfileInto,
  sortTimes,
} from '../support/profileRun.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { findIssues } from '../support/validation.ts';

const { simulator, url } = await startSimulator({ seed: 3 });

/** Arguments for prompts and responses of fixed length. */
const FIXED_LENGTHS = ['--isl', '30', '--osl', '8', '--extra-inputs', 'ignore_eos:true'];
const STREAMING = ['--streaming', '--concurrency', '4', ...FIXED_LENGTHS];
const LONG_RESPONSES = [
  ...['--streaming', '--concurrency', '4', '--isl', '30', '--osl', '60'],
  '--use-server-token-count',
];

/** Lists the values of a metric in all records. */
function listValues(records: readonly ProfileRecord[], tag: string): number[] {
  return records.flatMap(({ metrics }) => {
    const value = metrics[tag]?.value;
    return value === undefined ? [] : typeof value === 'number' ? [value] : [...value];
  });
}

describe('a run with warm-up and timeslices', () => {
  const folder = makeSuiteFolder();
  let result: FolderResult;
  let client: ClientExports;

  beforeAll(async () => {
    const start = simulator.mark();
    result = await runProfileInto(folder, url, [
      ...STREAMING,
      ...['--request-count', '24', '--warmup-request-count', '5', '--slice-duration', '0.4'],
      ...['--goodput', 'request_latency:100000'],
      ...['--server-metrics-formats', 'json', 'csv', 'parquet', 'jsonl'],
    ]);
    client = await readClientExports(folder);
    expect(simulator.getTruth(start).requests).toHaveLength(29);
  });

  test('writes all exports, and all are valid', async () => {
    expect(await findIssues(folder)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([
      '.aiperf_results_ready.json',
      'inputs.json',
      'phase_manifest.json',
      'phases',
      'profile_export.jsonl',
      'profile_export_aiperf.csv',
      'profile_export_aiperf.json',
      'profile_export_aiperf_timeslices.csv',
      'profile_export_aiperf_timeslices.json',
      'server_metrics_export.csv',
      'server_metrics_export.json',
      'server_metrics_export.jsonl',
      'server_metrics_export.parquet',
    ]);
  });

  test('counts requests and tokens exactly, without the warm-up', () => {
    expect(client.records).toHaveLength(24);
    expect(client.warmupRecords).toHaveLength(5);
    expect(getMetric(client.document, 'request_count').avg).toBe(24);
    expect(getMetric(client.document, 'good_request_count').avg).toBe(24);
    expect(getMetric(client.document, 'total_osl').avg).toBe(24 * 8);
    // The simulator's chat template adds 7 tokens to each prompt.
    expect(getMetric(client.document, 'total_isl').avg).toBe(24 * 37);
    expect(client.document.error_summary).toEqual([]);
    expect(client.document.was_cancelled).toBe(false);
  });

  test('computes statistics over its requests', () => {
    const tags = Object.keys(client.records[0]!.metrics).filter(tag => tag !== 'good_request_count');
    expect(tags).toContain('inter_chunk_latency');
    expect(tags).toContain('http_req_waiting');
    for (const tag of tags) {
      const values = listValues(client.records, tag);
      const metric = getMetric(client.document, tag);
      const sum = values.reduce((total, value) => total + value, 0);
      const mean = sum / values.length;
      const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
      expect(metric.count, tag).toBe(values.length);
      expect(metric.sum, tag).toBeCloseTo(sum, 6);
      expect(metric.avg, tag).toBeCloseTo(mean, 6);
      expect(metric.std, tag).toBeCloseTo(Math.sqrt(squares / (values.length - 1)), 6);
      expect(metric.min, tag).toBe(Math.min(...values));
      expect(metric.max, tag).toBe(Math.max(...values));
      for (const percent of [1, 50, 90, 99] as const)
        expect(metric[`p${percent}`], `${tag} p${percent}`).toBeCloseTo(
          computePercentile(values, percent),
          6,
        );
    }
  });

  test('counts the requests that are good', () => {
    const values = listValues(client.records, 'good_request_count');
    expect(getMetric(client.document, 'good_request_count').avg).toBe(
      values.reduce((sum, value) => sum + value, 0),
    );
  });

  test('computes throughputs from the start of the first request to the end of the last request', () => {
    const { records, document } = client;
    const starts = records.map(({ metadata }) => metadata.request_start_ns);
    const latencies = listValues(records, 'request_latency');
    const ends = starts.map((start, index) => start + BigInt(Math.round(latencies[index]! * 1e6)));
    const seconds = Number(sortTimes(ends).at(-1)! - sortTimes(starts)[0]!) / 1e9;
    expect(getMetric(document, 'benchmark_duration').avg).toBeCloseTo(seconds, 6);
    expect(getMetric(document, 'request_throughput').avg).toBeCloseTo(24 / seconds, 6);
    expect(getMetric(document, 'output_token_throughput').avg).toBeCloseTo((24 * 8) / seconds, 4);
    expect(getMetric(document, 'total_token_throughput').avg).toBeCloseTo((24 * (37 + 8)) / seconds, 4);
    expect(getMetric(document, 'goodput').avg).toBeCloseTo(24 / seconds, 6);
    for (const { metadata, metrics } of records) {
      expect(metrics.inter_token_latency!.value).toBeCloseTo(
        (Number(metrics.request_latency!.value) - Number(metrics.time_to_first_token!.value)) / 7,
        6,
      );
      expect(metadata.request_ack_ns! >= metadata.request_start_ns).toBe(true);
    }
  });

  test('aligns timeslices with the server metrics, and assigns each request to a timeslice', async () => {
    const file = join(folder, 'server_metrics_export.json');
    const document = (await readServerMetricsJson(fromPath(file))) as ServerMetricsDocument;
    const { profiling_start_ns: start } = document.summary;
    const [series] = document.metrics['vllm:generation_tokens']!.series;
    const serverStarts = new Set(series!.timeslices!.map(({ start_ns }) => start_ns));
    // If scrapes are further apart than the slice duration, server timeslices last from scrape to scrape.
    const [info] = Object.values(document.summary.endpoint_info);
    const isAligned = (info!.median_update_interval_ms ?? 0) <= 400;
    const slices = client.slices!.timeslices;
    expect(slices.length).toBeGreaterThan(0);
    for (const { timeslice_index: index, start_ns } of slices) {
      expect(start_ns).toBe(start! + BigInt(index!) * 400_000_000n);
      if (isAligned) expect(serverStarts).toContain(start_ns);
    }
    expect(slices.reduce((sum, slice) => sum + getMetric(slice, 'request_count').avg!, 0)).toBe(24);
    for (const { metadata } of client.records) {
      const index = Number((metadata.request_start_ns - start!) / 400_000_000n);
      // An incomplete last timeslice may be omitted. Its requests are then assigned to the previous timeslice.
      const assigned = Math.min(index, slices.at(-1)!.timeslice_index!);
      expect(slices.some(({ timeslice_index }) => timeslice_index === assigned)).toBe(true);
    }
  });

  test('reconciles client and server', () => {
    const { reconciliation } = result;
    expect(reconciliation).toMatchObject({
      server: 'vLLM',
      requests: { client: 24, server: 24, difference: 0, client_failed: 0, server_unfinished: 0 },
      generation_tokens: { client: 192, server: 192, difference: 0, client_source: 'usage' },
      prompt_tokens: { difference: 0 },
      running_at_start: 0,
      findings: [],
    });
    expect(reconciliation!.latencies.map(({ metric }) => metric)).toEqual([
      'request_latency',
      'time_to_first_token',
      'inter_token_latency',
    ]);
    // Client latencies include network time, so `outside_share` is usually positive. It may be negative here:
    // the simulator shares the thread of the client, and data that arrives while the thread is busy is
    // assumed to have arrived in the middle of the busy time.
    for (const { outside_share } of reconciliation!.latencies.slice(0, 2))
      expect(outside_share).toBeGreaterThan(-0.5);
    expect(client.document.reconciliation).toMatchObject({ server: 'vLLM', findings: [] });
  });

  test('records seed, command line and options, so that the run can be repeated', () => {
    expect(client.document.run_info).toMatchObject({
      benchmark_id: result.benchmarkId,
      random_seed: 7,
      trial: 0,
      variation_label: 'base',
      cli_command: 'servelens profile',
    });
    expect(client.document.load_generator).toMatchObject({
      tokenizer: 'o200k_base',
      stop_reason: 'requests',
    });
    expect(client.document.input_config).toMatchObject({
      models: { items: [{ name: MODEL }] },
      endpoint: { type: 'chat', streaming: true },
      phases: [
        { name: 'warmup', requests: 5 },
        { name: 'profiling', concurrency: 4, requests: 24 },
      ],
    });
  });
});

test('runs with the same seed send the same requests, byte for byte', async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    const body = JSON.stringify({ choices: [{ message: { content: 'a' } }] });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const runAndListBodies = async (): Promise<string[]> => {
    bodies.length = 0;
    const lengths = ['--isl', '40', '--isl-stddev', '15', '--osl', '9', '--osl-stddev', '3'];
    const load = ['--concurrency', '3', '--request-count', '12', '--no-server-metrics'];
    await runProfile(serverUrl, [...lengths, ...load]);
    return [...bodies].sort();
  };
  const first = await runAndListBodies();
  expect(new Set(first).size).toBe(12);
  expect(await runAndListBodies()).toEqual(first);
});

test.each([
  ['o200k_base', 'server', 37, []],
  ['o200k_base', 'client', 30, ['--token-count', 'client']],
  ['server', 'server', 37, ['--token-count', 'server']],
] as const)('counts tokens with tokenizer %s and source %s', async (tokenizer, source, tokens, options) => {
  const { folder } = await runProfile(url, [...STREAMING, '--request-count', '3', ...options]);
  const { document } = await readClientExports(folder);
  expect(document.load_generator).toMatchObject({ tokenizer, token_source: source });
  expect(getMetric(document, 'total_isl').avg).toBe(3 * tokens);
});

test('--use-server-token-count uses no tokenizer', async () => {
  const { folder } = await runProfile(url, [
    ...STREAMING,
    '--request-count',
    '6',
    '--use-server-token-count',
  ]);
  const { document, records } = await readClientExports(folder);
  expect(document.load_generator).toMatchObject({ tokenizer: 'server', token_source: 'server' });
  expect(getMetric(document, 'total_osl').avg).toBe(48);
  expect(getMetric(document, 'total_isl').avg).toBe(getMetric(document, 'total_usage_prompt_tokens').avg);
  expect(records.every(({ metrics }) => metrics.usage_prompt_tokens_diff_pct === undefined)).toBe(true);
});

test.each([
  ['completions', ['--endpoint-type', 'completions', ...FIXED_LENGTHS]],
  ['embeddings', ['--endpoint-type', 'embeddings', '--isl', '20']],
  ['open loop', ['--request-rate', '40', '--arrival-pattern', 'constant', '--streaming', ...FIXED_LENGTHS]],
])('writes valid exports: %s', async (_, args) => {
  const { folder, reconciliation } = await runProfile(url, [...args, '--request-count', '10']);
  expect(await findIssues(folder)).toEqual([]);
  const { document, records } = await readClientExports(folder);
  expect(records).toHaveLength(10);
  expect(getMetric(document, 'request_latency').count).toBe(10);
  expect('time_to_first_token' in document).toBe(args.includes('--streaming'));
  expect('output_token_count' in document).toBe(!args.includes('embeddings'));
  expect(reconciliation).toMatchObject({ requests: { difference: 0 }, findings: [] });
});

test('uses --profile-export-prefix in the names of all exports', async () => {
  const { folder } = await runProfile(url, [
    ...[
      ...LONG_RESPONSES,
      '--request-count',
      '4',
      '--slice-duration',
      '1',
      '--profile-export-prefix',
      'mine.json',
    ],
    ...['--server-metrics-formats', 'json'],
  ]);
  expect(readdirSync(folder).sort()).toEqual([
    '.aiperf_results_ready.json',
    'inputs.json',
    'mine.csv',
    'mine.json',
    'mine.jsonl',
    'mine_server_metrics.json',
    'mine_timeslices.csv',
    'mine_timeslices.json',
  ]);
});

test('an interrupted run exports its completed and interrupted requests', async () => {
  const controller = new AbortController();
  const { folder, wasCancelled, document } = await runProfile(
    url,
    [...LONG_RESPONSES, '--benchmark-duration', '60'],
    {
      signal: controller.signal,
      onEvent: event => {
        if (event.type !== 'load_started') return;
        const { metrics, load } = event.active;
        const timer = setInterval(() => {
          if (metrics.succeeded < 4 || load.getProgress().inFlight === 0) return;
          clearInterval(timer);
          controller.abort();
        }, 5);
      },
    },
  );
  expect(wasCancelled).toBe(true);
  expect(document.was_cancelled).toBe(true);
  expect(await findIssues(folder)).toEqual([]);
  const { records } = await readClientExports(folder);
  const interrupted = records.filter(({ error }) => error);
  expect(records.length - interrupted.length).toBeGreaterThanOrEqual(4);
  expect(interrupted.length).toBeGreaterThan(0);
  for (const { error, metadata } of interrupted)
    expect([error!.type, metadata.was_cancelled]).toEqual(['Interrupted', true]);
  expect(document.error_summary).toEqual([]);
  expect(getMetric(document, 'cancelled_request_count').avg).toBe(interrupted.length);
  expect(document).not.toHaveProperty('error_request_count');
});

test.each([
  ['before its first request', 0],
  ['during its warm-up', 1],
])('a run that is interrupted %s counts no requests and has valid exports', async (_, completed) => {
  const controller = new AbortController();
  if (completed === 0) controller.abort();
  const { folder, wasCancelled, document } = await runProfile(
    url,
    [
      ...[...LONG_RESPONSES, '--warmup-duration', '60', '--request-count', '5', '--slice-duration', '1'],
      ...['--server-metrics-formats', 'json', 'parquet'],
    ],
    {
      signal: controller.signal,
      onEvent: event => {
        if (event.type !== 'load_started') return;
        const { load } = event.active;
        const timer = setInterval(() => {
          if (load.getProgress().succeeded < completed) return;
          clearInterval(timer);
          controller.abort();
        }, 5);
      },
    },
  );
  expect(wasCancelled).toBe(true);
  expect(getMetric(document, 'request_count').avg).toBe(0);
  expect(document).not.toHaveProperty('request_throughput');
  expect(document.load_generator).toMatchObject({ stop_reason: 'interrupted' });
  expect(await findIssues(folder)).toEqual([]);
});

test('does not write secrets to files', async () => {
  const secret = 'sk-verysecret';
  const { folder } = await runProfile(url, [
    ...[...LONG_RESPONSES, '--request-count', '2', '--api-key', secret, '-H', `x-team: ${secret}`],
    ...['--server-metrics-formats', 'json', '--slice-duration', '1'],
  ]);
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(secret);
});
