import { createRunFromView } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
} from '../../../../packages/analysis/test/documents.ts';
import { buildReport } from '../../src/report/buildReport.ts';
import { createMetricRun, VLLM_METRICS } from '../support/reportedRuns.ts';

test('lists facts about the run and the state of its endpoints', async () => {
  const view = { ...createDocument(VLLM_METRICS), input_config: { cli_command: 'servelens collect' } };
  const report = await buildReport(createRunFromView(view, 'a'));
  expect(report.title).toBe('a');
  expect(report.facts).toEqual([
    { name: 'Command', text: 'servelens collect' },
    { name: 'Started', text: '2026-11-21 09:53:20.000 UTC' },
    { name: 'Duration', text: '20 s' },
    { name: 'Profiling', text: '20 s' },
    { name: 'Metrics', text: '4 in 6 series' },
    { name: 'Benchmark ID', text: 'b-1' },
    { name: 'Version', text: '0.0.0' },
  ]);
  expect(report.endpoints[0]).toMatchObject({
    name: 'localhost:8000',
    state: 'active',
    scrapes: 60,
    failed: 0,
    latencyMs: 2.5,
  });
});

test('lists the source of an imported run', async () => {
  const source = { source: 'metrics_pages', path: 'raw', samples: 1, limitations: ['a', 'b'] };
  const { facts } = await buildReport(
    createRunFromView(createDocument(VLLM_METRICS, undefined, { import: source }), 'a'),
  );
  expect(facts.slice(-2)).toEqual([
    { name: 'Imported from', text: 'raw (metrics pages, 1 sample)' },
    { name: 'Limitations of the source', text: 'a; b' },
  ]);
});

test('has no charts, no tiles and no series for an empty run', async () => {
  const report = await buildReport(createMetricRun({}));
  expect(report.timeline).toBeUndefined();
  expect([report.tiles, report.ladders, report.heatMaps, report.replicas]).toEqual([[], [], [], []]);
  expect(report.series.rows).toEqual([]);
  expect(report.verdict.sentence).toMatch(/^The run has no server metrics/);
});

test('omits only the timeline if there is no data over time', async () => {
  const report = await buildReport(
    createMetricRun({ 'vllm:num_requests_running': createMetric('gauge', [createGauge(4)]) }),
  );
  expect(report.timeline).toBeUndefined();
  expect(report.series.rows).toHaveLength(1);
});

test('fills tiles from the servers if there is no client', async () => {
  const { tiles } = await buildReport(createMetricRun(VLLM_METRICS));
  expect(tiles.map(({ id, value, side }) => [id, value, side])).toEqual([
    ['output', '6', 'server'],
    ['latency', '2 s', 'server'],
    ['queue', '0', 'server'],
    ['kv-cache', '90%', 'server'],
  ]);
});

test('compares the run with a baseline', async () => {
  const tokens = createCounter(60, { slices: [5, 10, 15] });
  const run = createMetricRun({
    ...VLLM_METRICS,
    'vllm:generation_tokens': createMetric('counter', [tokens], 'tokens'),
  });
  const { comparison } = await buildReport(run, createMetricRun(VLLM_METRICS, 'base'));
  expect(comparison!.base).toBe('base');
  expect(comparison!.counts).toEqual({ untested: 1, unchanged: comparison!.rows.length - 1 });
  expect(
    comparison!.rows.find(({ metric, stat }) => metric === 'vllm:generation_tokens' && stat === 'rate'),
  ).toMatchObject({ base: 6, new: 3, change: -0.5 });
});

test('suggests an option for renamed series on the page', async () => {
  const [run, base] = ['a', 'b'].map(model =>
    createMetricRun({
      'vllm:generation_tokens': createMetric('counter', [createCounter(1, { labels: { model } })]),
    }),
  );
  const { comparison } = await buildReport(run!, base);
  expect(comparison!.notes[0]).toMatch(/--ignore-label model \(servelens read compare\)$/);
});
