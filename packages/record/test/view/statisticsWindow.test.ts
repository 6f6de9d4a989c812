import { estimateLinearPercentiles } from '@org/core';
import { expect, test } from 'vitest';
import type { EndpointRecord } from '../../src/runRecord.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';
import { resolveAiperfPeriod } from '../../src/view/statisticsWindow.ts';
import { createEndpointRecord, createRunRecord, T0 } from '../support/runRecord.ts';

const toNs = (seconds: number): bigint => T0 + BigInt(seconds * 1e9);
const PROFILING = { startNs: toNs(2), endNs: toNs(4) };
const endpoint = createEndpointRecord(
  'http://a:1/metrics',
  { c: 'counter', g: 'gauge' },
  [0, 1, 2.5, 3.5, 4.5, 5.5].map(second => [second, { c: second * 10, g: second }]),
);
const tag = (...seconds: number[]): EndpointRecord => ({
  ...endpoint,
  profilingScrapesNs: new Set(seconds.map(toNs)),
});

test.each([
  ['covers the scrapes that were sent after the start, through the last one', endpoint, 2.5, 5.5, []],
  ['covers the tagged scrapes', tag(3.5, 4.5), 3.5, 4.5, []],
  ['leaves out scrapes between them with another tag', tag(2.5, 4.5, 5.5), 2.5, 5.5, [3.5]],
  ['covers nothing without a tagged scrape', tag(), 5.5 + 1e-9, 5.5 + 1e-9, []],
] as const)('the AIPerf window %s', (_name, record, start, end, excluded) => {
  const { startNs, endNs, excludedNs = new Set() } = resolveAiperfPeriod(record, PROFILING);
  expect([startNs, endNs]).toEqual([Math.round(start * 1e9), Math.round(end * 1e9)]);
  expect([...excludedNs]).toEqual(excluded.map(second => second * 1e9));
});

test('leaves out a scrape that was sent before the start of profiling', () => {
  const slow = createEndpointRecord('http://a:1/metrics', { g: 'gauge' }, [
    [2.0001, { g: 1 }],
    [3, { g: 2 }],
  ]);
  expect(resolveAiperfPeriod(slow, PROFILING).startNs).toBe(3e9 - 2.0001e9);
});

test('exports the statistics of the AIPerf window, and records it', () => {
  const run = createRunRecord([endpoint], 2, 4);
  const compute = (window: 'profiling' | 'aiperf') =>
    createServerMetricsDocument(createExportView(run, { window }), { estimator: estimateLinearPercentiles });
  const [profiling, aiperf] = [compute('profiling'), compute('aiperf')];
  expect(profiling.metrics.c!.series[0]!.stats).toMatchObject({ total: 35 });
  expect(aiperf.metrics.c!.series[0]!.stats).toMatchObject({ total: 45, rate: 10 });
  expect(profiling.summary).not.toHaveProperty('statistics_window');
  expect(aiperf.summary.statistics_window).toBe('aiperf');
  expect(aiperf.summary.profiling_end_ns).toBe(profiling.summary.profiling_end_ns);
});

test('removes the mark of the AIPerf window when its samples are exported with the profiling window', () => {
  const run = createRunRecord([endpoint], 2, 4);
  const { summary } = createExportView(run, { window: 'aiperf' });
  expect(createExportView({ ...run, summary }).summary).not.toHaveProperty('statistics_window');
});
