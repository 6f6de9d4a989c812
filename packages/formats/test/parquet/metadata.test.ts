import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { buildParquetMetadata, type ParquetMetadataInput } from '../../src/parquet/index.ts';
import { PARQUET_LIBRARY_VERSION } from '../../src/parquet/metadata.ts';

const input: ParquetMetadataInput = {
  version: '1.2.3',
  benchmarkId: '5f2c1f5e-0000-4000-8000-000000000001',
  exportTime: new Date('2025-12-15T10:05:00.125Z'),
  timeFilterStartNs: 1765793061967310848n,
  timeFilterEndNs: 1765793121967310849n,
  endpointUrls: ['http://a:8000/metrics', 'http://b:8000/metrics'],
  labelColumns: ['engine', 'größe'],
  metricTypeCounts: { gauge: 2, histogram: 3 },
  modelNames: ['Qwen/Qwen3-0.6B'],
  concurrency: 8,
  requestRate: 2.5,
  inputConfig: { endpoint: { urls: ['x'] } },
  hostname: 'bench-1',
};

describe('buildParquetMetadata', () => {
  test('returns the documented keys in order, with exact times', () => {
    expect(buildParquetMetadata(input)).toEqual([
      ['aiperf.schema_version', '1.0'],
      ['aiperf.version', '0.13.0'],
      ['aiperf.benchmark_id', '5f2c1f5e-0000-4000-8000-000000000001'],
      ['aiperf.exporter', 'ServerMetricsParquetExporter'],
      ['aiperf.export_timestamp_utc', '2025-12-15T10:05:00.125Z'],
      ['aiperf.time_filter_start_ns', '1765793061967310848'],
      ['aiperf.time_filter_end_ns', '1765793121967310849'],
      ['aiperf.profiling_duration_ns', '60000000001'],
      ['aiperf.profiling_duration_seconds', '60.000000001'],
      ['aiperf.endpoint_urls', '["http://a:8000/metrics","http://b:8000/metrics"]'],
      ['aiperf.endpoint_count', '2'],
      ['aiperf.label_columns', '["engine","größe"]'],
      ['aiperf.label_count', '2'],
      ['aiperf.metric_count', '5'],
      ['aiperf.metric_type_counts', '{"gauge":2,"counter":0,"histogram":3,"unknown":0}'],
      ['aiperf.model_names', '["Qwen/Qwen3-0.6B"]'],
      ['aiperf.concurrency', '8'],
      ['aiperf.request_rate', '2.5'],
      ['aiperf.input_config', '{"endpoint":{"urls":["x"]}}'],
      ['aiperf.hostname', 'bench-1'],
      ['aiperf.node_version', process.versions.node],
      ['aiperf.parquet_library_version', '@dsnp/parquetjs 1.8.8'],
      ['aiperf.schema_note', expect.stringContaining('union_by_name=true')],
      ['servelens.version', '1.2.3'],
    ]);
  });

  const buildWith = (change: Partial<ParquetMetadataInput>) =>
    new Map(buildParquetMetadata({ ...input, ...change }));

  test('omits values that are not set', () => {
    const keys = [...buildWith({ concurrency: undefined, requestRate: undefined }).keys()];
    expect(keys).not.toContain('aiperf.concurrency');
    expect(keys).not.toContain('aiperf.request_rate');
  });

  test('counts metrics of unknown type if there are any', () => {
    const metadata = buildWith({ metricTypeCounts: { unknown: 1 } });
    expect(metadata.get('aiperf.metric_type_counts')).toBe(
      '{"gauge":0,"counter":0,"histogram":0,"unknown":1}',
    );
    expect(metadata.get('aiperf.metric_count')).toBe('1');
  });

  test.each([
    [0n, '0.0'],
    [1n, '0.000000001'],
    [1_500_000_000n, '1.5'],
    [2_000_000_000n, '2.0'],
    [123_456_789_012_345_678n, '123456789.012345678'],
  ])('writes a duration of %s ns as %s seconds', (ns, text) => {
    const metadata = buildWith({ timeFilterEndNs: input.timeFilterStartNs + ns });
    expect(metadata.get('aiperf.profiling_duration_seconds')).toBe(text);
  });

  test('writes a configuration that is JSON text unchanged', () => {
    expect(buildWith({ inputConfig: '{ "a": 12345678901234567890 }' }).get('aiperf.input_config')).toBe(
      '{ "a": 12345678901234567890 }',
    );
  });

  test('writes integers of a configuration with all digits', () => {
    expect(buildWith({ inputConfig: { seed: 12345678901234567890n } }).get('aiperf.input_config')).toBe(
      '{"seed":12345678901234567890}',
    );
  });

  test('throws for a configuration that is not JSON', () => {
    expect(() => buildWith({ inputConfig: '{a}' })).toThrow(SyntaxError);
  });
});

test('PARQUET_LIBRARY_VERSION is the installed version of the library', () => {
  const path = createRequire(import.meta.url).resolve('@dsnp/parquetjs/package.json');
  const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string };
  expect(`${name} ${version.replace(/^v/, '')}`).toBe(PARQUET_LIBRARY_VERSION);
});
