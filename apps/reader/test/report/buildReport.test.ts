import { createRun, createRunFromView } from '@org/analysis';
import { formatValue } from '@org/core';
import { describe, expect, test } from 'vitest';
import * as samples from '../../../../packages/analysis/test/documents.ts';
import { START_NS } from '../../../../packages/analysis/test/documents.ts';
import { buildReport } from '../../src/report/buildReport.ts';

type View = Parameters<typeof createRunFromView>[0];

function view(metrics: object): View {
  return { schema_version: '1.0', metrics } as unknown as View;
}

const RUNNING = {
  'vllm:num_requests_running': {
    type: 'gauge',
    description: 'Running',
    series: [
      samples.gauge(4, { slices: [2, 4, 6] }),
      samples.gauge(4, { slices: [1, 1, 1], url: samples.URL_B }),
    ],
  },
  'vllm:kv_cache_usage_perc': {
    type: 'gauge',
    description: 'KV cache',
    series: [
      samples.gauge(0.4, { slices: [0.2, 0.4, 0.6] }),
      samples.gauge(0.9, { slices: [0.9, 0.1, 0.1], url: samples.URL_B }),
    ],
  },
  'vllm:generation_tokens': {
    type: 'counter',
    unit: 'tokens',
    description: 'Tokens',
    series: [samples.counter(120, { slices: [10, 20, 30] })],
  },
  'vllm:e2e_request_latency_seconds': {
    type: 'histogram',
    unit: 'seconds',
    description: 'Latency',
    series: [samples.histogram(150, 2, { slices: [1, 2, 3] })],
  },
};

describe('from timeslices', () => {
  test('puts key metrics on one axis, combined by their kind', async () => {
    const { timeline } = await buildReport(createRunFromView(view(RUNNING)));
    expect(timeline).toMatchObject({ source: 'timeslices', binSeconds: 2, seconds: [1, 3, 5] });
    expect(timeline!.start).toBe(new Date(Number(START_NS / 1_000_000n)).toISOString());
    expect(timeline!.charts.map(({ name, combined, all }) => [name, combined, all])).toEqual([
      ['vllm:num_requests_running', 'sum', [3, 5, 7]],
      ['vllm:kv_cache_usage_perc', 'max', [0.9, 0.4, 0.6]],
      ['vllm:e2e_request_latency_seconds', 'mean', expect.any(Array)],
      ['vllm:generation_tokens', 'sum', [10, 20, 30]],
    ]);
    expect(timeline!.charts[0]!.endpoints!.map(({ values }) => values)).toEqual([
      [2, 4, 6],
      [1, 1, 1],
    ]);
    expect(timeline!.charts[3]!.endpoints).toBeUndefined();
  });

  test('counts observations by bucket in heat maps', async () => {
    const { timeline } = await buildReport(createRunFromView(view(RUNNING)));
    const [map] = timeline!.heatmaps;
    expect(map!.name).toBe('vllm:e2e_request_latency_seconds');
    expect(map!.counts).toHaveLength(3);
    for (const counts of map!.counts) expect(counts).toHaveLength(map!.bounds.length);
  });
});

test('builds a page without a timeline for an empty run', async () => {
  const report = await buildReport(createRunFromView(view({})));
  expect(report.timeline).toBeUndefined();
  expect(report.series.rows).toEqual([]);
  expect(report.percentiles).toEqual([]);
});

test('omits only the timeline without slices and samples', async () => {
  const bare = {
    'vllm:num_requests_running': { type: 'gauge', description: '', series: [samples.gauge(4)] },
  };
  const report = await buildReport(createRunFromView(view(bare)));
  expect(report.timeline).toBeUndefined();
  expect(report.series.rows).toHaveLength(1);
});

test('stores each text once, and counts omitted rows', async () => {
  const series = Array.from({ length: 20_010 }, (_, i) => samples.gauge(1, { labels: { id: String(i) } }));
  const report = await buildReport(
    createRunFromView(view({ many: { type: 'gauge', description: '', series } })),
  );
  expect(report.series.rows).toHaveLength(20_000);
  expect(report.series.more).toBe(10);
  expect(new Set(report.series.texts).size).toBe(report.series.texts.length);
});

test.each([2714.4996, 1_234_499_600])('shows %d like the other commands', async value => {
  const metric = { type: 'gauge', description: '', series: [samples.gauge(value)] };
  const { series } = await buildReport(createRunFromView(view({ one: metric })));
  const shown = series.rows[0]![series.columns.indexOf('avg')]!;
  expect(formatValue(shown as number, null)).toBe(formatValue(value, null));
});

test('includes the verdicts of a comparison', async () => {
  const other = {
    ...RUNNING,
    'vllm:generation_tokens': {
      ...RUNNING['vllm:generation_tokens'],
      series: [samples.counter(60, { slices: [5, 10, 15] })],
    },
  };
  const { comparison } = await buildReport(
    createRunFromView(view(other)),
    createRunFromView(view(RUNNING), 'base'),
  );
  expect(comparison!.base).toBe('base');
  expect(
    comparison!.rows.find(({ metric, stat }) => metric === 'vllm:generation_tokens' && stat === 'rate'),
  ).toMatchObject({
    base: 6,
    new: 3,
    change: -0.5,
  });
});

describe('a run with a load generator', () => {
  const block = { unit: 'ms', avg: 5, min: 1, max: 9, p50: 5, p90: 8, p99: 9, std: 2, count: 3, sum: 15 };
  const reconciliation = {
    server: 'vLLM',
    latencies: [],
    findings: [{ kind: 'other_clients', message: 'others asked' }],
  };

  function client(more: object): Promise<Awaited<ReturnType<typeof buildReport>>> {
    const profile = {
      schema_version: '1.3',
      request_latency: block,
      request_count: { unit: 'requests', avg: 3 },
      ...more,
    };
    return buildReport(
      createRun({ name: 'run', layout: 'json', files: {}, view: view(RUNNING), profile: profile as never }),
    );
  }

  test('lists its metrics in the order of the console', async () => {
    const { client: part } = await client({});
    expect(part!.metrics).toEqual([
      {
        name: 'request_latency',
        unit: 'ms',
        stats: { avg: 5, min: 1, max: 9, p50: 5, p90: 8, p99: 9, std: 2 },
      },
      { name: 'request_count', unit: 'requests', stats: { avg: 3 } },
    ]);
    expect(part!.reconciliation).toBeUndefined();
  });

  test('includes the reconciliation', async () => {
    expect((await client({ reconciliation })).client!.reconciliation).toEqual(reconciliation);
  });

  test('ignores a reconciliation block of another shape', async () => {
    expect(
      (await client({ reconciliation: { of: 'something else' } })).client!.reconciliation,
    ).toBeUndefined();
  });
});
