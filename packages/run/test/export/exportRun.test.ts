import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromPath, validate } from '@org/formats';
import { afterAll, describe, expect, test } from 'vitest';
import { createEndpointRecord, createRunRecord } from '../../../record/test/support/runRecord.ts';
import { batchLines, exportRun } from '../../src/export/exportRun.ts';

describe('exportRun', () => {
  const folder = mkdtempSync(join(tmpdir(), 'layouts-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const createSummary = (count: number) => ({ sum: count / 2, count, quantiles: { '0.5': 0.5 } });
  const run = createRunRecord(
    [
      createEndpointRecord('http://a:1/metrics', { c: 'counter', s: 'summary' }, [
        [0, { c: 1, s: createSummary(2) }],
        [1, { c: 3, s: createSummary(4) }],
        [2, { c: 9, s: createSummary(8) }],
      ]),
    ],
    1,
    2,
  );
  const options = {
    folder,
    formats: ['json', 'csv'],
    percentileMethod: 'polynomial',
    batchSize: 100,
  } as const;

  test('writes schema 1.0 and the Servelens CSV layout by default, and reports omitted summaries', async () => {
    const { results, skippedSummaries } = await exportRun(run, options);
    expect(skippedSummaries).toEqual(['s']);
    expect(await validate(fromPath(results[0]!.path))).toMatchObject({ version: '1.0', valid: true });
    expect(readFileSync(results[1]!.path, 'utf8')).toMatch(/^Endpoint,.*\n/);
  });

  test('writes the legacy JSON layout and the AIPerf CSV layout', async () => {
    const { results, skippedSummaries, document } = await exportRun(run, {
      ...options,
      jsonLayout: 'legacy',
      compatibility: 'aiperf-0.13',
    });
    expect(skippedSummaries).toEqual([]);
    expect(await validate(fromPath(results[0]!.path))).toMatchObject({
      version: 'legacy',
      valid: true,
      issues: [],
    });
    expect(JSON.parse(readFileSync(results[0]!.path, 'utf8')).metrics.s.series[0]).toMatchObject({
      observation_count: 6,
      delta: 3,
      quantiles: { '0.5': 0.5 },
    });
    expect(readFileSync(results[1]!.path, 'utf8')).toMatch(/^# AIPerf.*\n(#.*\n)+Endpoint,.*\r\n/);
    expect(document.schema_version).toBe('1.0');
  });
});

describe('metrics of known servers that no figure uses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unusable-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = createRunRecord(
    [
      createEndpointRecord(
        'http://a:1/metrics',
        { 'vllm:num_requests_running': 'counter', 'vllm:num_requests_waiting': 'gauge' },
        [
          [0, { 'vllm:num_requests_running': 1, 'vllm:num_requests_waiting': 0 }],
          [2, { 'vllm:num_requests_running': 9, 'vllm:num_requests_waiting': 0 }],
        ],
      ),
    ],
    0,
    2,
  );

  test.each([
    [
      'servelens',
      [
        {
          endpoint_url: 'http://a:1/metrics',
          reason: 'vllm:num_requests_running is a counter instead of a gauge',
        },
      ],
    ],
    ['aiperf-0.13', undefined],
  ] as const)('are named in the summary of JSON exports for %s', async (compatibility, unusable) => {
    const { results } = await exportRun(run, {
      folder,
      prefix: compatibility,
      formats: ['json'],
      percentileMethod: 'moments',
      compatibility,
    });
    expect(await validate(fromPath(results[0]!.path))).toMatchObject({ valid: true });
    const { summary } = JSON.parse(readFileSync(results[0]!.path, 'utf8'));
    expect(summary.unusable_metrics).toEqual(unusable);
  });
});

test('JSON exports have the versions that servers state, and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const page = { 'istio_build{component=proxy,tag=1.24.0}': 1 };
  const run = createRunRecord(
    [
      createEndpointRecord('http://a:1/metrics', { istio_build: 'gauge' }, [
        [0, page],
        [2, page],
      ]),
      createEndpointRecord('http://b:1/metrics', { 'vllm:num_requests_running': 'gauge' }, [
        [0, { 'vllm:num_requests_running': 1 }],
        [2, { 'vllm:num_requests_running': 1 }],
      ]),
    ],
    0,
    2,
  );
  const { results } = await exportRun(run, { folder, formats: ['json'], percentileMethod: 'moments' });
  expect(await validate(fromPath(results[0]!.path))).toMatchObject({ valid: true });
  const { endpoint_info: infos } = JSON.parse(readFileSync(results[0]!.path, 'utf8')).summary;
  expect(infos['http://a:1/metrics'].server_versions).toEqual([{ server: 'Istio', version: '1.24.0' }]);
  expect(infos['http://b:1/metrics']).not.toHaveProperty('server_versions');
});

describe('batchLines', () => {
  test.each<[string, readonly string[], number, readonly string[]]>([
    ['batches of one line', ['a', 'b'], 1, ['a\n', 'b\n']],
    ['an incomplete last batch', ['a', 'b', 'c'], 2, ['a\nb\n', 'c\n']],
    ['complete batches only', ['a', 'b'], 2, ['a\nb\n']],
    ['no lines', [], 2, []],
  ])('yields %s', (_, lines, maxLines, expected) => {
    expect([...batchLines(lines, maxLines)]).toEqual(expected);
  });

  test('ends a batch of long lines before the maximum number of lines', () => {
    const line = 'x'.repeat(115_000);
    const batches = [...batchLines(Array(200).fill(line), 1_000_000)];
    expect(Math.max(...batches.map(batch => batch.length))).toBeLessThan(8.2e6);
    expect(batches.join('')).toBe(`${line}\n`.repeat(200));
  });
});
