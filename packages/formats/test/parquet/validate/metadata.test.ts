import { describe, expect, test } from 'vitest';
import { findProblems, gauge, latency, writeExport } from '../support/validation.ts';

describe('metadata', () => {
  const cases: readonly (readonly [string, (metadata: Map<string, string>) => void, readonly string[]])[] = [
    [
      'without required keys',
      metadata => {
        metadata.delete('aiperf.hostname');
        metadata.delete('aiperf.schema_note');
      },
      ['parquet-metadata-missing | the metadata | has no aiperf.hostname, aiperf.schema_note'],
    ],
    [
      'without versions of libraries',
      metadata => {
        metadata.delete('aiperf.node_version');
        metadata.delete('aiperf.parquet_library_version');
      },
      [],
    ],
    [
      'with fewer metrics than the rows',
      metadata => {
        metadata.set('aiperf.metric_type_counts', '{"gauge":0,"counter":1,"histogram":1}');
      },
      [
        'parquet-metadata-value | metadata aiperf.metric_type_counts | states 0 metrics of type gauge, but the rows have 1',
      ],
    ],
    [
      'with an impossible date',
      metadata => metadata.set('aiperf.export_timestamp_utc', '2026-02-30T00:00:00Z'),
      [
        'parquet-metadata-value | metadata aiperf.export_timestamp_utc | is "2026-02-30T00:00:00Z"; expected an ISO 8601 time',
      ],
    ],
    [
      'of another version',
      metadata => metadata.set('aiperf.schema_version', '2.0'),
      ['schema-version-unknown | metadata aiperf.schema_version | is "2.0"; expected 1.0'],
    ],
    [
      'with a time that is not an integer',
      metadata => metadata.set('aiperf.time_filter_end_ns', '1.5e18'),
      ['parquet-metadata-value | metadata aiperf.time_filter_end_ns | is "1.5e18"; expected an integer'],
    ],
    [
      'with a period that ends before it starts',
      metadata => metadata.set('aiperf.time_filter_end_ns', '5'),
      [
        'parquet-metadata-value | metadata aiperf.time_filter_end_ns | is before the start of the time filter',
      ],
    ],
    [
      'with an inconsistent duration',
      metadata => metadata.set('aiperf.profiling_duration_ns', '5'),
      [
        'parquet-metadata-value | metadata aiperf.profiling_duration_ns | is 5, but according to the time filter it should be 60000000000',
      ],
    ],
    [
      'with inconsistent counts',
      metadata => {
        metadata.set('aiperf.endpoint_count', '2');
        metadata.set('aiperf.label_count', '0');
        metadata.set('aiperf.metric_count', '9');
      },
      [
        'parquet-metadata-value | metadata aiperf.endpoint_count | is 2, but according to endpoint_urls it should be 1',
        'parquet-metadata-value | metadata aiperf.label_count | is 0, but according to label_columns it should be 1',
        'parquet-metadata-value | metadata aiperf.metric_count | is 9, but according to metric_type_counts it should be 2',
      ],
    ],
    [
      'with label columns that the file does not have',
      metadata => metadata.set('aiperf.label_columns', '["zone"]'),
      ['parquet-metadata-value | metadata aiperf.label_columns | lists zone, but the file has engine'],
    ],
    [
      'with text that is not JSON',
      metadata => metadata.set('aiperf.input_config', '{'),
      ['parquet-metadata-value | metadata aiperf.input_config | is "{"; expected JSON'],
    ],
    [
      'with values that are not lists',
      metadata => {
        metadata.set('aiperf.endpoint_urls', '"x"');
        metadata.set('aiperf.model_names', '[1]');
      },
      [
        'parquet-metadata-value | metadata aiperf.endpoint_urls | is "\\"x\\""; expected a JSON array of strings',
        'parquet-metadata-value | metadata aiperf.model_names | is "[1]"; expected a JSON array of strings',
      ],
    ],
    [
      'with values that are not counts',
      metadata => metadata.set('aiperf.metric_type_counts', '{"gauge": "many"}'),
      [
        'parquet-metadata-value | metadata aiperf.metric_type_counts | is "{\\"gauge\\": \\"many\\"}"; expected an object of counts',
      ],
    ],
  ];
  test.each(cases)('%s is reported', async (_, change, expected) => {
    await writeExport([gauge, latency], change);
    const lines = await findProblems();
    for (const line of expected) expect(lines).toContainEqual(expect.stringContaining(line));
    expect(new Set(lines.map(line => line.split(' | ')[0]))).toEqual(
      new Set(expected.map(line => line.split(' | ')[0])),
    );
  });
});
