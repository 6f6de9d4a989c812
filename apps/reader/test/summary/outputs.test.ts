import { createRun, createRunFromView, type Run } from '@org/analysis';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import {
  counter,
  document,
  downInfo,
  gauge,
  healthyInfo,
  histogram,
  metric,
  URL_A,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';
import { buildSummaryDocument } from '../../src/summary/json.ts';
import { renderSummaryMarkdown } from '../../src/summary/markdown.ts';
import { renderRun } from '../../src/summary/screen.ts';

const rising = [1, 2, 4, 8, 12, 20, 24, 30];

function vllm(urls: readonly string[]): Parameters<typeof document>[0] {
  const each = (make: (url: string) => object): object[] => urls.map(make);
  return {
    'vllm:num_requests_running': metric(
      'gauge',
      each(url => gauge(20, { url, slices: rising })),
      'requests',
    ),
    'vllm:num_requests_waiting': metric(
      'gauge',
      each(url => gauge(30, { url, slices: rising })),
      'requests',
    ),
    'vllm:kv_cache_usage_perc': metric(
      'gauge',
      each(url => gauge(0.9, { url, max: 1, slices: rising })),
      'ratio',
    ),
    'vllm:num_preemptions': metric(
      'counter',
      each(url => counter(5, { url, slices: rising })),
    ),
    'vllm:e2e_request_latency_seconds': metric(
      'histogram',
      each(url => histogram(100, 2, { url })),
      'seconds',
    ),
    'vllm:time_to_first_token_seconds': metric(
      'histogram',
      each(url => histogram(100, 1, { url })),
      'seconds',
    ),
    'vllm:inter_token_latency_seconds': metric(
      'histogram',
      each(url => histogram(100, 0.01, { url })),
      'seconds',
    ),
    'vllm:generation_tokens': metric(
      'counter',
      each(url => counter(4000, { url, slices: rising })),
      'tokens',
    ),
  };
}

const urls = Array.from({ length: 12 }, (_, i) => `http://node${i}:8000/metrics`);
const cluster = createRunFromView(
  document(
    vllm(urls),
    Object.fromEntries([...urls.map(url => [url, healthyInfo] as const), [URL_B, downInfo]]),
  ),
  'cluster',
);
const lines = (run: Run, width = 80, height = 24): string[] =>
  renderRun(run, { width, height, color: false }).split('\n');

describe('one screen', () => {
  test.each([80, 100, 160])('fits a cluster with many problems into %d columns and 24 lines', width => {
    const screen = lines(cluster, width);
    expect(screen.length).toBeLessThan(24);
    expect(Math.max(...screen.map(line => stringWidth(line)))).toBeLessThanOrEqual(width);
    expect(screen.join('\n')).toMatch(/generation_tokens ×12 .* 48K/);
    expect(screen.join('\n')).toMatch(/✗ an endpoint returned no data {2}down:1: refused the connection/);
    expect(screen).toContain('✓ 12 of 13 endpoints without problems');
  });

  test('fits the first metrics of two servers into 24 lines', () => {
    const sglang = [
      'num_running_reqs',
      'num_queue_reqs',
      'token_usage',
      'gen_throughput',
      'cache_hit_rate',
    ].map(name => [`sglang:${name}`, metric('gauge', [gauge(0.5, { url: URL_B, slices: rising })])] as const);
    const two = document(
      { ...vllm([URL_A]), ...Object.fromEntries(sglang) },
      { [URL_A]: healthyInfo, [URL_B]: healthyInfo },
    );
    const screen = lines(createRunFromView(two, 'two'));
    expect(screen.length).toBeLessThan(24);
    expect(screen.filter(line => /^ and \d more metrics$/.test(line))).toHaveLength(2);
    expect(screen.join('\n')).toMatch(
      /num_requests_running.*num_requests_waiting.*num_running_reqs.*num_queue_reqs/s,
    );
    expect(lines(createRunFromView(two, 'two'), 80, 100).join('\n')).not.toMatch(/more metrics/);
  });

  test('shows single series and all advice if there is space', () => {
    const screen = lines(cluster, 100, 200).join('\n');
    expect(screen).toMatch(/node0:8000/);
    expect(screen).toContain('Reduce max_model_len or increase gpu_memory_utilization.');
    expect(screen).not.toContain('×12');
  });

  test('shows sparklines in 80 columns', () => {
    expect(lines(cluster).find(line => line.includes('generation_tokens'))).toMatch(/[▁▂▃▄▅▆▇█]{8}$/);
  });

  test('shows the command of the run', () => {
    const view = { ...document(vllm([URL_A])), input_config: { cli_command: 'servelens collect\u001b[2J' } };
    expect(lines(createRunFromView(view, 'a'))[1]).toBe('servelens collect␛[2J');
    const aiperf = {
      ...document(vllm([URL_A])),
      input_config: { endpoint: {}, loadgen: { concurrency: 4 }, model_names: ['m'] },
    };
    expect(lines(createRunFromView(aiperf, 'a'))[1]).toBe('m, concurrency 4');
  });
});

describe('runs with problems', () => {
  test.each<[string, Run, RegExp]>([
    [
      'an empty run',
      createRunFromView(document({}, {}), 'empty'),
      /No known inference server among 0 metrics[\s\S]*✗ the run has no server metrics/,
    ],
    [
      'one endpoint down',
      createRunFromView(document(vllm([URL_A]), { [URL_A]: healthyInfo, [URL_B]: downInfo }), 'x'),
      /✗ http:\/\/down:1\/metrics {2}7 failed, no data/,
    ],
    [
      'a run that was recovered',
      createRunFromView(document(vllm([URL_A]), undefined, { was_cancelled: true }), 'x'),
      /interrupted, 8 metrics[\s\S]*! the run was interrupted/,
    ],
    [
      'a CSV',
      createRun({
        name: 'x.csv',
        layout: 'csv',
        files: {},
        view: { schema_version: '1.0', metrics: document(vllm([URL_A])).metrics },
      }),
      /^x\.csv {2}8 metrics in 8 series/,
    ],
    [
      'something unknown',
      createRunFromView(document({ up: metric('gauge', [gauge(1)]) }), 'x'),
      /No known inference server among 1 metric;/,
    ],
  ])('%s', (_, run, text) => {
    expect(renderRun(run, { width: 100, height: 60, color: false })).toMatch(text);
    expect(renderSummaryMarkdown(run)).toMatch(/^## /);
    expect(JSON.parse(JSON.stringify(buildSummaryDocument(run)))).toHaveProperty('findings');
  });

  test('summarizes 100,000 series quickly', () => {
    const series = Array.from({ length: 20_000 }, (_, i) => counter(i, { labels: { i: String(i) } }));
    const names = ['vllm:generation_tokens', 'vllm:prompt_tokens', 'vllm:request_success', 'a', 'b'];
    const run = createRunFromView(
      document(Object.fromEntries(names.map(name => [name, metric('counter', series)]))),
      'large',
    );
    const screen = lines(run);
    expect(screen.length).toBeLessThan(24);
    expect(renderSummaryMarkdown(run)).toContain('×20000');
    expect(screen.join('\n')).toMatch(/5 metrics in 100000 series[\s\S]*and 19996 more/);
  });
});

test('shows client and server metrics', () => {
  const profile = {
    schema_version: '1.1',
    request_latency: { unit: 'ms', avg: 2620.5, p99: 3371.25, max: 3411.5, count: 20 },
  };
  const run = createRun({
    name: 'both',
    layout: 'json',
    files: {},
    view: document(vllm([URL_A])),
    profile: profile as never,
  });
  expect(lines(run, 100, 60).join('\n')).toMatch(
    /Client[\s\S]*request_latency +2\.62\d s +3\.371 s +3\.41\d s +20/,
  );
});

const evil = '\u001b[31m<img src=x onerror=alert(1)>|`*_@all\u202e';

test('escapes text from servers in every output', () => {
  const run = createRunFromView(
    document(
      {
        'vllm:generation_tokens': metric('counter', [
          counter(3, { labels: { source: evil } }),
          counter(4, { labels: { source: 'b' } }),
        ]),
      },
      { [URL_A]: { ...healthyInfo, last_error: evil, scrapes_failed: 30 }, [`http://${evil}/`]: downInfo },
    ),
    evil,
  );
  const screen = renderRun(run, { width: 300, height: 100, color: false });
  const page = renderSummaryMarkdown(run);
  for (const text of [screen, page]) for (const bad of ['\u001b', '\u202e']) expect(text).not.toContain(bad);
  for (const bad of ['<img', '@all', '|`']) expect(page).not.toContain(bad);
  expect(screen).toContain('␛[31m<img');
  expect(JSON.stringify(buildSummaryDocument(run))).not.toContain('\u001b');
});

test('writes times as strings and the numbers of findings to JSON', () => {
  expect(buildSummaryDocument(cluster)).toMatchObject({
    run: 'cluster',
    profiling_start_ns: '1795254800000000000',
    profiling_seconds: 20,
    series: 96,
    endpoints: expect.arrayContaining([expect.objectContaining({ name: 'down:1', state: 'without_data' })]),
    servers: [{ name: 'vLLM' }],
  });
  const full = buildSummaryDocument(cluster).findings.find(({ id }) => id === 'full-kv-cache');
  expect(full?.evidence[0]?.numbers).toEqual({ max: 1, avg: 0.9 });
});
