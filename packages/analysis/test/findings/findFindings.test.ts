import { readFileSync } from 'node:fs';
import type { ProfileExport } from '@org/formats';
import { describe, expect, test } from 'vitest';
import { FINDING_RULES, type FindingOptions, findFindings } from '../../src/findings/findFindings.ts';
import type { Finding } from '../../src/findings/rule.ts';
import { createRun, createRunFromView } from '../../src/run/run.ts';
import {
  counter,
  document,
  downInfo,
  gauge,
  histogram,
  metric,
  URL_A,
  URL_B,
  wellInfo,
} from '../documents.ts';

type Metrics = Parameters<typeof document>[0];

function found(
  metrics: Metrics,
  infos: Parameters<typeof document>[1] = { [URL_A]: wellInfo },
  options: FindingOptions = {},
  summary: object = {},
): Finding[] {
  return findFindings(createRunFromView(document(metrics, infos, summary)), options);
}

const gauges = (entries: Readonly<Record<string, object>>): Metrics =>
  Object.fromEntries(Object.entries(entries).map(([name, one]) => [name, metric('gauge', [one])]));

/** A run without problems. */
const calm: Metrics = {
  ...gauges({
    'vllm:num_requests_running': gauge(20, { slices: [19, 20, 21, 20, 20, 20] }),
    'vllm:num_requests_waiting': gauge(0, { slices: [0, 0, 0, 0, 0, 0] }),
    'vllm:kv_cache_usage_perc': gauge(0.4),
  }),
  'vllm:num_preemptions': metric('counter', [counter(0)]),
  'vllm:generation_tokens': metric('counter', [counter(4000, { slices: [200, 200, 200] })]),
};

test('finds nothing in a healthy run', () => {
  expect(found(calm)).toEqual([]);
});

test('reports findings of the profile export', () => {
  const profile: ProfileExport = {
    schema_version: '1.3',
    load_generator: { tokenizer: 'server', warnings: [{ kind: 'send_delay', message: 'sent late' }] },
    reconciliation: {
      server: 'vLLM',
      latencies: [],
      findings: [{ kind: 'other_clients', message: '7 requests of other clients', count: 7 }],
    },
  };
  const run = createRun({
    name: '',
    layout: 'json',
    files: {},
    view: document(calm, { [URL_A]: wellInfo }, {}),
    profile,
  });
  expect(
    findFindings(run).map(({ id, evidence }) => [id, evidence[0]!.text, evidence[0]!.magnitude]),
  ).toEqual([
    ['client-server-mismatch', '7 requests of other clients', 7],
    ['client-overload', 'sent late', 0],
  ]);
});

const rising = [1, 2, 4, 8, 12, 20];

test.each<[string, Metrics, RegExp]>([
  [
    'growing-queue',
    gauges({ 'vllm:num_requests_waiting': gauge(0.5, { slices: rising }) }),
    /1\.5 waiting in the first third of the run, 16 in the last/,
  ],
  ['growing-queue', gauges({ 'sglang:num_queue_reqs': gauge(0.5, { slices: rising }) }), /16 in the last/],
  [
    'growing-queue',
    gauges({ dynamo_frontend_queued_requests: gauge(0.5, { slices: rising }) }),
    /16 in the last/,
  ],
  [
    'growing-queue',
    gauges({ trtllm_num_requests_waiting: gauge(0.5, { slices: rising }) }),
    /16 in the last/,
  ],
  [
    'growing-queue',
    gauges({ nv_inference_pending_request_count: gauge(0.5, { slices: rising }) }),
    /16 in the last/,
  ],
  [
    'server-bottleneck',
    gauges({ 'vllm:num_requests_waiting': gauge(30), 'vllm:num_requests_running': gauge(40) }),
    /^30 waiting on average, 40 running$/,
  ],
  ['server-bottleneck', gauges({ nv_inference_pending_request_count: gauge(30) }), /^30 waiting on average$/],
  [
    'full-kv-cache',
    gauges({ 'vllm:kv_cache_usage_perc': gauge(0.8, { max: 0.97 }) }),
    /up to 97%, 80% on average/,
  ],
  ['full-kv-cache', gauges({ 'sglang:token_usage': gauge(0.8, { max: 0.91 }) }), /up to 91%/],
  ['full-kv-cache', gauges({ trtllm_kv_cache_utilization: gauge(0.8, { max: 0.93 }) }), /up to 93%/],
  [
    'full-kv-cache',
    gauges({ dynamo_component_gpu_cache_usage_percent: gauge(80, { max: 95 }) }),
    /up to 95%, 80% on average/,
  ],
  [
    'preemptions',
    { 'vllm:num_preemptions': metric('counter', [counter(3), counter(4, { labels: { engine: '1' } })]) },
    /^7 preemptions$/,
  ],
  [
    'preemptions',
    { 'vllm:num_preemptions': metric('counter', [counter(0, { stats: { resets: 1, increase: 9 } })]) },
    /^9 preemptions$/,
  ],
  [
    'client-bottleneck',
    gauges({ 'vllm:num_requests_waiting': gauge(0), 'vllm:num_requests_running': gauge(1.5) }),
    /1\.5 running and 0 waiting/,
  ],
  [
    'client-bottleneck',
    {
      ...gauges({ nv_inference_pending_request_count: gauge(0) }),
      nv_inference_request_duration_us: metric('counter', [counter(20_000_000)], 'microseconds'),
    },
    /1 running and 0 waiting/,
  ],
  [
    'idle-server',
    {
      ...gauges({ 'vllm:num_requests_running': gauge(0) }),
      'vllm:generation_tokens': metric('counter', [counter(0)]),
    },
    /no running requests/,
  ],
  [
    'failed-requests',
    {
      nv_inference_request_failure: metric('counter', [counter(2, { labels: { reason: 'OTHER' } })]),
      nv_inference_request_success: metric('counter', [counter(98)]),
    },
    /2 failed, 98 completed/,
  ],
  [
    'prefix-cache-hits',
    {
      'vllm:prefix_cache_hits': metric('counter', [counter(25)]),
      'vllm:prefix_cache_queries': metric('counter', [counter(100)]),
    },
    /^25%: 25 of 100$/,
  ],
  ['prefix-cache-hits', gauges({ 'sglang:cache_hit_rate': gauge(0.3) }), /^30%$/],
  [
    'prefix-cache-hits',
    {
      nv_cache_num_hits_per_model: metric('counter', [counter(1)]),
      nv_cache_num_misses_per_model: metric('counter', [counter(3)]),
    },
    /^25%: 1 of 4$/,
  ],
  [
    'tail-latency',
    {
      ...gauges({ 'vllm:num_requests_waiting': gauge(0.5, { max: 12 }) }),
      'vllm:time_to_first_token_seconds': metric(
        'histogram',
        [histogram(100, 1, { stats: { p50_estimate: 0.5, p99_estimate: 4 } })],
        'seconds',
      ),
    },
    /p50 500 ms, p99 4 s; up to 12 waiting/,
  ],
  [
    'counter-resets',
    { 'vllm:generation_tokens': metric('counter', [counter(5, { stats: { resets: 2, increase: 9 } })]) },
    /1 series reset up to 2 times, including vllm:generation_tokens/,
  ],
  [
    'counter-resets',
    {
      'vllm:e2e_request_latency_seconds': metric(
        'histogram',
        [histogram(9, 1, { more: { buckets: null } })],
        'seconds',
      ),
    },
    /1 series reset once/,
  ],
  [
    'unbounded-percentile',
    {
      'vllm:e2e_request_latency_seconds': metric(
        'histogram',
        [histogram(100, 1, { more: { buckets: { '1': 50, '2': 90, '+Inf': 100 } } })],
        'seconds',
      ),
    },
    /p95 3 s is only known to be above 2 s, and 1 more/,
  ],
  [
    'wide-percentile-bounds',
    {
      'vllm:time_to_first_token_seconds': metric(
        'histogram',
        [
          histogram(100, 1, {
            more: { buckets: { '1': 1, '1000': 100, '+Inf': 100 }, percentile_bounds: { p50: [1, 900] } },
          }),
        ],
        'seconds',
      ),
    },
    /time_to_first_token_seconds p50 1 s is between 1 s and 15 min/,
  ],
])('finds %s', (id, metrics, text) => {
  const one = found(metrics).find(finding => finding.id === id);
  expect(one?.evidence[0]?.text).toMatch(text);
  expect(one!.advice).not.toBe('');
});

test('finds requests that started before the profiling period', () => {
  const first = { '1': 0, '4': 10, '16': 40, '+Inf': 40 };
  const latency = histogram(80, 2, {
    slices: [2, 2],
    more: { buckets: { '1': 0, '4': 40, '16': 80, '+Inf': 80 } },
  }) as {
    timeslices: { buckets: object }[];
  };
  latency.timeslices[0]!.buckets = first;
  latency.timeslices[1]!.buckets = { '1': 30, '4': 40, '16': 40, '+Inf': 40 };
  const [leak] = found({
    'vllm:e2e_request_latency_seconds': metric('histogram', [latency], 'seconds'),
  }).filter(({ id }) => id === 'warmup-overlap');
  // The first slice ends after 2 s; the first bound that is not below is 4 s: 30 took longer.
  expect(leak?.evidence[0]).toMatchObject({ numbers: { early: 30, requests: 80 } });
});

test.each<[string, object, RegExp]>([
  ['endpoint-without-data', downInfo, /refused the connection/],
  [
    'failed-scrapes',
    { ...wellInfo, scrapes_failed: 20, status: 'failing', last_error: 'timed out' },
    /20 of 80 failed, including the last scrape: timed out/,
  ],
  ['skipped-scrapes', { ...wellInfo, scrapes_late: 20 }, /20 of 80 skipped, mean latency 2\.5 ms$/],
  [
    'skipped-scrapes',
    { ...wellInfo, scrapes_late: 20, scrape_latency_p99_ms: 400 },
    /20 of 80 skipped, mean latency 2\.5 ms, p99 400 ms$/,
  ],
  ['dropped-samples', { ...wellInfo, samples_dropped: 4 }, /4 dropped/],
])('finds %s', (id, info, text) => {
  const one = found(calm, { [URL_A]: wellInfo, [URL_B]: info }).find(finding => finding.id === id);
  expect(one?.evidence[0]).toMatchObject({ endpoint: 'down:1', text: expect.stringMatching(text) });
});

test('finds problems of the run', () => {
  const ids = (list: readonly Finding[]): string[] => list.map(({ id }) => id);
  expect(ids(found({}))).toEqual(['run-without-metrics']);
  expect(ids(found(calm, undefined, {}, { was_cancelled: true }))).toEqual(['interrupted-run']);
  expect(ids(found({ 'vllm:num_requests_running': metric('gauge', [gauge(20)]) }))).toEqual([
    'run-without-timeslices',
  ]);
});

test.each<[string, readonly number[]]>([
  ['a spike that has ended', [0, 0, 30, 30, 0, 0]],
  ['a spike that has just begun', [5, 5, 0, 0, 9, 9]],
  ['a queue that shrinks', [...rising].reverse()],
  ['too few slices', [0, 50, 100]],
])('does not report %s as growth', (_, slices) => {
  const all = found(gauges({ 'vllm:num_requests_waiting': gauge(0.5, { slices }) }));
  expect(all.map(({ id }) => id)).not.toContain('growing-queue');
});

describe('several endpoints', () => {
  const both = {
    'vllm:kv_cache_usage_perc': metric('gauge', [
      gauge(0.8, { max: 0.95 }),
      gauge(0.8, { max: 0.99, url: URL_B }),
    ]),
  };

  test('lists the worst endpoint of a finding first', () => {
    const [full] = found(both, { [URL_A]: wellInfo, [URL_B]: wellInfo });
    expect(full!.evidence.map(({ endpoint }) => endpoint)).toEqual(['down:1', 'localhost:8000']);
  });

  test('adds requests of several engines', () => {
    const waiting = [0, 1].map(engine => gauge(3, { labels: { engine: String(engine) } }));
    const [deep] = found({ 'vllm:num_requests_waiting': metric('gauge', waiting) });
    expect(deep!.evidence[0]!.numbers.waiting).toBe(6);
  });

  test('sorts problems before warnings before notes', () => {
    const weights = found({
      ...both,
      ...gauges({ 'vllm:num_requests_waiting': gauge(30), 'sglang:cache_hit_rate': gauge(0.3) }),
    }).map(({ severity }) => severity);
    expect(weights).toEqual(
      [...weights].sort((a, b) => (a === 'problem' ? -1 : a === b ? 0 : b === 'note' ? -1 : 1)),
    );
  });
});

describe('options', () => {
  const full = gauges({ 'vllm:kv_cache_usage_perc': gauge(0.8, { max: 0.95 }) });

  test('leaves out a finding', () => {
    expect(found(full, undefined, { without: ['full-kv-cache', 'run-without-timeslices'] })).toEqual([]);
  });

  test('changes a threshold', () => {
    const thresholds = { 'full-kv-cache': { usage: 0.96 } };
    expect(found(full, undefined, { thresholds }).map(({ id }) => id)).toEqual(['run-without-timeslices']);
  });

  test('docs/summary.md lists every rule with its thresholds', () => {
    const page = readFileSync(new URL('../../../../docs/summary.md', import.meta.url), 'utf8');
    for (const { id, thresholds } of FINDING_RULES) {
      const line = page.split('\n').find(row => row.includes(`\`${id}\``)) ?? '';
      expect(line, id).not.toBe('');
      for (const [name, { value }] of Object.entries(thresholds))
        expect(line, id).toContain(`${name}=${value}`);
    }
  });

  test('IDs are unique', () => {
    expect(new Set(FINDING_RULES.map(({ id }) => id)).size).toBe(FINDING_RULES.length);
  });
});
