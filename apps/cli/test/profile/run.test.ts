import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProfileRecord, type ServerMetricsDocument, validate } from '@org/formats';
import { readServerMetricsJson } from '@org/formats/read';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockOf, filesOf, MODEL, ran, ranInto, textOf } from './support.ts';

let simulator: Simulator;
let url = '';
beforeAll(async () => {
  simulator = createSimulator({ seed: 3 });
  ({ url } = await simulator.listen(0));
});
afterAll(() => simulator.close());

/** Answers of a known length. */
const SHORT = ['--isl', '30', '--osl', '8', '--extra-inputs', 'ignore_eos:true'];
const LONG = ['--streaming', '--concurrency', '4', '--isl', '30', '--osl', '60', '--use-server-token-count'];
const STREAM = ['--streaming', '--concurrency', '4', ...SHORT];

async function invalid(folder: string): Promise<string[]> {
  const checked = await Promise.all(
    readdirSync(folder).map(async name => {
      const { issues } = await validate(join(folder, name));
      // On a machine that does much else the end of an answer is read late: what it warns of is true then.
      const wrong = issues.filter(({ rule }) => rule !== 'request-tail');
      return wrong.map(({ path, message }) => `${name} ${path}: ${message}`);
    }),
  );
  return checked.flat();
}

/** Values of a metric over all requests, from profile_export.jsonl. */
function valuesOf(records: readonly ProfileRecord[], tag: string): number[] {
  return records.flatMap(({ metrics }) => {
    const value = metrics[tag]?.value;
    return value === undefined ? [] : typeof value === 'number' ? [value] : [...value];
  });
}

function bigger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** As numpy.percentile. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)]!;
  return low + ((sorted[Math.ceil(place)] ?? low) - low) * (place - Math.floor(place));
}

describe('a run with warm-up and timeslices', () => {
  let folder = '';
  let result: Awaited<ReturnType<typeof ran>>;
  let files: Awaited<ReturnType<typeof filesOf>>;
  let issues: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'profile-'));
    const before = simulator.mark();
    result = await ranInto(folder, url, [
      ...STREAM,
      ...['--request-count', '24', '--warmup-request-count', '5', '--slice-duration', '0.4'],
      ...[
        '--goodput',
        'request_latency:100000',
        '--server-metrics-formats',
        'json',
        'csv',
        'parquet',
        'jsonl',
      ],
    ]);
    files = await filesOf(folder);
    issues = await invalid(folder);
    expect(simulator.truth(before).requests).toHaveLength(29);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('writes all exports, all of them valid', () => {
    expect(issues).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([
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

  test('has exact counts that exclude the warm-up', () => {
    expect(files.records).toHaveLength(24);
    expect(files.records.every(({ metadata }) => metadata.benchmark_phase === 'profiling')).toBe(true);
    expect(blockOf(files.document, 'request_count').avg).toBe(24);
    expect(blockOf(files.document, 'good_request_count').avg).toBe(24);
    expect(blockOf(files.document, 'total_osl').avg).toBe(24 * 8);
    expect(blockOf(files.document, 'total_isl').avg).toBe(24 * 30);
    expect(files.document.error_summary).toEqual([]);
    expect(files.document.was_cancelled).toBe(false);
  });

  test('has the statistics of its requests', () => {
    const tags = Object.keys(files.records[0]!.metrics);
    expect(tags).toContain('inter_chunk_latency');
    expect(tags).toContain('http_req_waiting');
    for (const tag of tags) {
      const values = valuesOf(files.records, tag);
      const block = blockOf(files.document, tag);
      const sum = values.reduce((a, b) => a + b, 0);
      const mean = sum / values.length;
      const squares = values.reduce((all, value) => all + (value - mean) ** 2, 0);
      expect(block.count, tag).toBe(values.length);
      expect(block.sum, tag).toBeCloseTo(sum, 6);
      expect(block.avg, tag).toBeCloseTo(mean, 6);
      expect(block.std, tag).toBeCloseTo(Math.sqrt(squares / (values.length - 1)), 6);
      expect(block.min, tag).toBe(Math.min(...values));
      expect(block.max, tag).toBe(Math.max(...values));
      for (const [key, share] of [
        ['p1', 0.01],
        ['p50', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
      ] as const)
        expect(block[key], `${tag} ${key}`).toBeCloseTo(percentile(values, share), 6);
    }
  });

  test('derives throughputs from them', () => {
    const { records, document } = files;
    const starts = records.map(({ metadata }) => metadata.request_start_ns);
    const latencies = valuesOf(records, 'request_latency');
    const ends = starts.map((start, at) => start + BigInt(Math.round(latencies[at]! * 1e6)));
    const first = starts.reduce((a, b) => -bigger(-a, -b));
    const last = ends.reduce((a, b) => bigger(a, b));
    const seconds = Number(last - first) / 1e9;
    expect(blockOf(document, 'benchmark_duration').avg).toBeCloseTo(seconds, 6);
    expect(blockOf(document, 'request_throughput').avg).toBeCloseTo(24 / seconds, 6);
    expect(blockOf(document, 'output_token_throughput').avg).toBeCloseTo((24 * 8) / seconds, 4);
    expect(blockOf(document, 'total_token_throughput').avg).toBeCloseTo((24 * 38) / seconds, 4);
    expect(blockOf(document, 'goodput').avg).toBeCloseTo(24 / seconds, 6);
    for (const { metadata, metrics } of records) {
      expect(metrics.inter_token_latency!.value).toBeCloseTo(
        (Number(metrics.request_latency!.value) - Number(metrics.time_to_first_token!.value)) / 7,
        6,
      );
      expect(metadata.request_ack_ns! >= metadata.request_start_ns).toBe(true);
    }
  });

  test('has timeslices with the boundaries of the server metrics that add up to the run', async () => {
    const file = join(folder, 'server_metrics_export.json');
    const document = (await readServerMetricsJson(file)) as ServerMetricsDocument;
    const { profiling_start_ns: start } = document.summary;
    const [series] = document.metrics['vllm:generation_tokens']!.series;
    const servers = new Set(series!.timeslices!.map(({ start_ns }) => start_ns));
    // Where scrapes come later than slices are long, the servers' slices are from scrape to scrape.
    const [info] = Object.values(document.summary.endpoint_info);
    const areFixed = (info!.median_update_interval_ms ?? 0) <= 400;
    const slices = files.slices!.timeslices;
    expect(slices.length).toBeGreaterThan(0);
    for (const { timeslice_index: index, start_ns } of slices) {
      expect(start_ns).toBe(start! + BigInt(index!) * 400_000_000n);
      if (areFixed) expect(servers).toContain(start_ns);
    }
    expect(slices.reduce((sum, slice) => sum + blockOf(slice, 'request_count').avg!, 0)).toBe(24);
    for (const { metadata } of files.records) {
      const index = Number((metadata.request_start_ns - start!) / 400_000_000n);
      // A rest that is no slice at the servers is in the last one.
      const own = Math.min(index, slices.at(-1)!.timeslice_index!);
      expect(slices.some(({ timeslice_index }) => timeslice_index === own)).toBe(true);
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
    // Network and client are on top of what the server measured; but the server works in the client's thread here, and what came
    // meanwhile has the middle of that time.
    for (const { outside_share } of reconciliation!.latencies.slice(0, 2))
      expect(outside_share).toBeGreaterThan(-0.5);
    expect(files.document.reconciliation).toMatchObject({ server: 'vLLM', findings: [] });
  });

  test('records everything that is required to repeat the run', () => {
    expect(files.document.run_info).toMatchObject({
      benchmark_id: result.benchmarkId,
      random_seed: 7,
      trial: 0,
      variation_label: 'base',
      cli_command: 'servelens profile',
    });
    expect(files.document.load_generator).toMatchObject({ tokenizer: 'o200k_base', stop_reason: 'requests' });
    expect(files.document.input_config).toMatchObject({
      endpoint: { model: MODEL, type: 'chat', streaming: true },
      phases: { warmup: { request_count: 5 }, profiling: { concurrency: 4, request_count: 24 } },
    });
  });
});

test('a seed reproduces a run', async () => {
  const args = [
    '--isl',
    '40',
    '--isl-stddev',
    '15',
    '--osl',
    '6',
    '--osl-stddev',
    '3',
    '--request-count',
    '12',
  ];
  const lengths = async (): Promise<unknown> => {
    const { folder } = await ran(url, [...args, '--no-server-metrics']);
    const { records } = await filesOf(folder);
    return records.map(({ metadata, metrics }) => [
      metadata.conversation_id,
      metrics.input_sequence_length!.value,
      metrics.requested_osl!.value,
    ]);
  };
  const first = await lengths();
  expect(await lengths()).toEqual(first);
});

test('--use-server-token-count uses no tokenizer', async () => {
  const { folder } = await ran(url, [...STREAM, '--request-count', '6', '--use-server-token-count']);
  const { document, records } = await filesOf(folder);
  expect(document.load_generator).toMatchObject({ tokenizer: 'server' });
  expect(blockOf(document, 'total_osl').avg).toBe(48);
  expect(blockOf(document, 'total_isl').avg).toBe(blockOf(document, 'total_usage_prompt_tokens').avg);
  expect(records.every(({ metrics }) => metrics.usage_prompt_tokens_diff_pct === undefined)).toBe(true);
});

test.each([
  ['completions', ['--endpoint-type', 'completions', ...SHORT]],
  ['embeddings', ['--endpoint-type', 'embeddings', '--isl', '20']],
  ['open loop', ['--request-rate', '40', '--arrival-pattern', 'constant', '--streaming', ...SHORT]],
])('%s', async (_, args) => {
  const { folder, reconciliation } = await ran(url, [...args, '--request-count', '10']);
  expect(await invalid(folder)).toEqual([]);
  const { document, records } = await filesOf(folder);
  expect(records).toHaveLength(10);
  expect(blockOf(document, 'request_latency').count).toBe(10);
  expect('time_to_first_token' in document).toBe(args.includes('--streaming'));
  expect('output_sequence_length' in document).toBe(!args.includes('embeddings'));
  expect(reconciliation).toMatchObject({ requests: { difference: 0 }, findings: [] });
});

test('names all files with a prefix', async () => {
  const { folder } = await ran(url, [
    ...[...LONG, '--request-count', '4', '--slice-duration', '1', '--profile-export-prefix', 'mine.json'],
    ...['--server-metrics-formats', 'json'],
  ]);
  expect(readdirSync(folder).sort()).toEqual([
    'mine.csv',
    'mine.json',
    'mine.jsonl',
    'mine_server_metrics.json',
    'mine_timeslices.csv',
    'mine_timeslices.json',
  ]);
});

test('a run that is interrupted records it, and exports completed requests', async () => {
  const controller = new AbortController();
  const { folder, wasCancelled, document } = await ran(url, [...LONG, '--benchmark-duration', '60'], {
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
  });
  expect(wasCancelled).toBe(true);
  expect(document.was_cancelled).toBe(true);
  expect(await invalid(folder)).toEqual([]);
  const { records } = await filesOf(folder);
  const cut = records.filter(({ error }) => error);
  expect(records.length - cut.length).toBeGreaterThanOrEqual(4);
  expect(cut.length).toBeGreaterThan(0);
  expect(cut.every(({ error, metadata }) => error!.type === 'Interrupted' && metadata.was_cancelled)).toBe(
    true,
  );
  expect(document.error_summary).toMatchObject([{ count: cut.length, error_details: { code: 499 } }]);
});

test.each([
  ['before anything was sent', 0],
  ['in the warm-up', 1],
])('a run that is interrupted %s has an empty result and valid exports', async (_, sent) => {
  const controller = new AbortController();
  if (sent === 0) controller.abort();
  const { folder, wasCancelled, document } = await ran(
    url,
    [
      ...[...LONG, '--warmup-duration', '60', '--request-count', '5', '--slice-duration', '1'],
      ...['--server-metrics-formats', 'json', 'parquet'],
    ],
    {
      signal: controller.signal,
      onEvent: event => {
        if (event.type !== 'load_started') return;
        const { load } = event.active;
        const timer = setInterval(() => {
          if (load.getProgress().succeeded < sent) return;
          clearInterval(timer);
          controller.abort();
        }, 5);
      },
    },
  );
  expect(wasCancelled).toBe(true);
  expect(blockOf(document, 'request_count').avg).toBe(0);
  expect(document).not.toHaveProperty('request_throughput');
  expect(document.load_generator).toMatchObject({ stop_reason: 'interrupted' });
  expect(await invalid(folder)).toEqual([]);
});

test('writes no secret to any file', async () => {
  const secret = 'sk-verysecret';
  const { folder } = await ran(url, [
    ...[...LONG, '--request-count', '2', '--api-key', secret, '-H', `x-team: ${secret}`],
    ...['--server-metrics-formats', 'json', '--slice-duration', '1'],
  ]);
  for (const name of readdirSync(folder)) expect(textOf(folder, name)).not.toContain(secret);
});
