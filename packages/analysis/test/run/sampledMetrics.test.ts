import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildParquetMetadata, openServerMetricsParquet } from '@org/formats/parquet';
import { afterAll, describe, expect, test } from 'vitest';
import { openRun } from '../../src/run/openRun.ts';
import { readStat } from '../../src/run/series.ts';
import { createTempFolder, SECOND_NS, START_NS, toJson, URL_A } from '../documents.ts';

const { path: folder, remove } = createTempFolder('samples');
afterAll(remove);

const timestamps = Array.from({ length: 11 }, (_, i) => START_NS + BigInt(i) * SECOND_NS);

/**
 * Writes ten seconds of a counter that increases by 5 per second, a rising gauge, and a histogram with one
 * observation per second.
 */
async function writeParquet(file: string): Promise<void> {
  const writer = await openServerMetricsParquet(file, {
    labelColumns: ['model'],
    metadata: buildParquetMetadata({
      version: '1.2.3',
      benchmarkId: 'b-9',
      exportTime: new Date(0),
      timeFilterStartNs: START_NS,
      timeFilterEndNs: START_NS + 10n * SECOND_NS,
      endpointUrls: [URL_A],
      labelColumns: ['model'],
      metricTypeCounts: { gauge: 1, counter: 1, histogram: 1 },
      modelNames: [],
      inputConfig: { model: 'm' },
      hostname: 'h',
    }),
  });
  const timestampsNs = BigInt64Array.from(timestamps);
  const rising = Float64Array.from(timestamps, (_, i) => i);
  const common = { endpointUrl: URL_A, unit: null, description: 'x', timestampsNs };
  const labels = [['model', 'm']] as const;
  await writer.appendSeries({ ...common, metricName: 'a', metricType: 'gauge', labels: [], values: rising });
  await writer.appendSeries({
    ...common,
    metricName: 'c',
    metricType: 'counter',
    labels,
    values: rising.map(value => 5 * value),
  });
  await writer.appendSeries({
    ...common,
    metricName: 'h',
    metricType: 'histogram',
    labels,
    histogram: {
      sums: rising.map(value => value * 0.5),
      counts: rising,
      bounds: ['0.25', '1', '+Inf'],
      bucketCounts: [new Float64Array(11), rising, rising],
    },
  });
  await writer.close();
}

/** Formats one raw scrape per second as JSONL; `phase` returns the benchmark phase at a second. */
const formatRecords = (phase?: (second: number) => string): string =>
  timestamps
    .map((timestamp_ns, i) =>
      toJson({
        endpoint_url: URL_A,
        timestamp_ns,
        endpoint_latency_ns: 2_000_000,
        ...(phase && { benchmark_phase: phase(i) }),
        metrics: {
          'vllm:generation_tokens': [{ labels: { model: 'm' }, value: 1000 + 5 * i }],
          'vllm:num_requests_running': [{ value: i }],
          'vllm:e2e_request_latency_seconds': [
            { buckets: { '0.25': 3, '1': 3 + i, '+Inf': 3 + i }, sum: 9 + i / 2, count: 3 + i },
          ],
        },
      }),
    )
    .join('\n');

const pickStats = (stats: Readonly<Record<string, unknown>>, ...names: string[]): unknown[] =>
  names.map(name => stats[name]);

describe('Parquet', () => {
  test('computes statistics from the samples', async () => {
    const file = join(folder, 'x.parquet');
    await writeParquet(file);
    const run = await openRun(file);
    expect([run.layout, run.benchmarkId, run.version, run.times.profilingSeconds]).toEqual([
      'parquet',
      'b-9',
      '1.2.3',
      10,
    ]);
    expect(run.endpoints).toMatchObject([{ name: 'localhost:8000', state: 'ok' }]);
    const [rising, counter, histogram] = ['a', 'c', 'h'].map(name => run.families.get(name)!.series[0]!);
    expect(pickStats(rising!.stats, 'avg', 'min', 'max')).toEqual([5, 0, 10]);
    expect(rising!.labels).toEqual({});
    expect(pickStats(counter!.stats, 'total', 'rate_avg')).toEqual([50, 5]);
    // The reference sample is 1 ns before the period.
    expect(readStat(counter!, 'rate')).toBeCloseTo(5, 8);
    expect(counter!.labels).toEqual({ model: 'm' });
    expect(counter!.slices).toHaveLength(5);
    expect(pickStats(histogram!.stats, 'count', 'sum', 'avg')).toEqual([10, 5, 0.5]);
    expect(histogram!.buckets).toEqual({ '0.25': 0, '1': 10, '+Inf': 10 });
    expect(readStat(histogram!, 'p99_estimate')).toBeCloseTo(0.5, 2);
    expect(histogram!.slices[1]).toMatchObject({ count: 2, avg: 0.5, start_ns: START_NS + 2n * SECOND_NS });
  });

  test('reads a file written by AIPerf', async () => {
    const file = new URL('../../../../packages/formats/test/files/parquet/aiperf.parquet', import.meta.url)
      .pathname;
    const run = await openRun(file);
    expect(run.families.get('vllm:e2e_request_latency_seconds')?.type).toBe('histogram');
    expect(run.seriesCount).toBeGreaterThan(3);
  });
});

describe('JSONL', () => {
  test('computes the statistics of all scrapes', async () => {
    const file = join(folder, 'x.jsonl');
    writeFileSync(file, formatRecords());
    const run = await openRun(file);
    expect([run.layout, run.times.seconds]).toEqual(['jsonl', 10]);
    expect(run.notes.join()).toMatch(/raw scrapes/);
    const getStats = (name: string): Readonly<Record<string, unknown>> =>
      run.families.get(name)!.series[0]!.stats;
    expect(run.families.get('vllm:generation_tokens')).toMatchObject({ type: 'counter', unit: 'tokens' });
    expect(pickStats(getStats('vllm:generation_tokens'), 'total', 'rate')).toEqual([50, 5]);
    expect(run.families.get('vllm:num_requests_running')?.type).toBe('unknown');
    expect(pickStats(getStats('vllm:num_requests_running'), 'avg', 'max')).toEqual([5, 10]);
    expect(pickStats(getStats('vllm:e2e_request_latency_seconds'), 'count', 'avg')).toEqual([10, 0.5]);
  });

  test('uses only the profiling phase if records contain phases, with the scrape before the phase as reference', async () => {
    const file = join(folder, 'phases.jsonl');
    writeFileSync(
      file,
      formatRecords(second => (second < 5 ? 'warmup' : 'profiling')),
    );
    const run = await openRun(file);
    expect(run.families.get('vllm:generation_tokens')!.series[0]!.stats.total).toBe(30);
    expect(run.families.get('vllm:num_requests_running')!.series[0]!.stats.min).toBe(5);
    expect(run.times.profilingSeconds).toBe(5);
  });

  test('reports a line that is not a record', async () => {
    const file = join(folder, 'broken.jsonl');
    writeFileSync(file, `${formatRecords()}\n{"endpoint_url": 3}`);
    await expect(openRun(file)).rejects.toThrow(/line 12/);
  });
});
