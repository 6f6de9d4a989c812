import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  buildParquetMetadata,
  type MetadataEntry,
  openServerMetricsParquet,
  type SeriesChunk,
  validateParquet,
} from '../../../src/parquet/index.ts';
import { type ParquetRule, parquetRules } from '../../../src/parquet/validate/findings.ts';
import { histogram, START_NS, scalar, timestamps } from '../support/chunks.ts';
import { duckdb } from '../support/duckdb.ts';
import { labelColumnsIn, temporaryFolder } from '../support/files.ts';
import { exampleRun } from '../support/run.ts';

const folder = temporaryFolder();
const query = duckdb();
const path = join(folder, 'x.parquet');

const metadataFor = (labelColumns: readonly string[], types: readonly string[]): MetadataEntry[] => [
  ...buildParquetMetadata({
    version: '1.2.3',
    benchmarkId: 'b',
    exportTime: new Date(0),
    timeFilterStartNs: START_NS,
    timeFilterEndNs: START_NS + 60_000_000_000n,
    endpointUrls: ['http://localhost:8000/metrics'],
    labelColumns,
    metricTypeCounts: Object.fromEntries(
      types.map(type => [type, types.filter(other => other === type).length]),
    ),
    modelNames: [],
    inputConfig: {},
    hostname: 'h',
  }),
];

/** Writes an export with matching metadata, modified by `change`. */
async function write(
  chunks: readonly SeriesChunk[],
  change: (metadata: Map<string, string>) => void = () => {},
  rowGroupRows = 1000,
): Promise<void> {
  const labelColumns = labelColumnsIn(chunks);
  const metadata = new Map(
    metadataFor(
      labelColumns,
      chunks.map(chunk => chunk.metricType),
    ),
  );
  change(metadata);
  const writer = await openServerMetricsParquet(path, {
    labelColumns,
    metadata: [...metadata],
    rowGroupRows,
  });
  for (const chunk of chunks) await writer.appendSeries(chunk);
  await writer.close();
}

const gauge = scalar('g', 'gauge', [-1, 2], { labels: { engine: '0' } });
const latency = histogram(
  'h',
  ['0.5', '1', '+Inf'],
  [
    [0, 1, 2],
    [1, 2, 4],
  ],
  { labels: { engine: '0' } },
);

describe('there are no findings for', () => {
  test('an export', async () => {
    await write(exampleRun());
    expect(await validateParquet(path)).toEqual([]);
  });

  test('an export in small row groups, with negative gauges and several spellings of +Inf', async () => {
    const spellings = ['inf', '+Inf', 'Infinity'].map(inf =>
      histogram(`i-${inf}`, ['-1', '1e+00', inf], [[0, 0, 1]]),
    );
    await write([gauge, latency, scalar('u', 'unknown', [-3]), ...spellings], undefined, 2);
    expect(await validateParquet(path)).toEqual([]);
  });

  test('an export without rows', async () => {
    await write([]);
    expect(await validateParquet(path)).toEqual([]);
  });

  test.each([
    [
      'with a decreasing count',
      [
        [1, 2],
        [3, 5],
        [0, 1],
        [2, 1],
        [4, 3],
      ],
    ],
    [
      'before the first row, when the count is still clamped',
      [
        [0, 0],
        [1, 0],
        [2, 1],
      ],
    ],
  ])('a histogram after a reset %s, whose buckets are separate deltas', async (_, observations) => {
    await write([histogram('h', ['1', '+Inf'], observations)], undefined, 2);
    expect(await validateParquet(path)).toEqual([]);
  });

  test('the final scrape of each endpoint after the period', async () => {
    const late = timestamps(2, START_NS + 59_900_000_000n);
    const urls = ['http://a/metrics', 'http://b/metrics'];
    await write(
      urls.flatMap(url =>
        [gauge, latency].map(chunk => ({ ...chunk, endpointUrl: url, timestampsNs: late })),
      ),
    );
    expect(await validateParquet(path)).toEqual([]);
  });
});

/** Writes invalid rows by changing a valid export in DuckDB, which makes all columns optional. */
async function changed(chunks: readonly SeriesChunk[], replace: string): Promise<void> {
  await write(chunks);
  const metadata = metadataFor(
    labelColumnsIn(chunks),
    chunks.map(chunk => chunk.metricType),
  )
    .map(([key, value]) => `"${key}": '${value.replaceAll("'", "''")}'`)
    .join(', ');
  const from = join(folder, 'from.parquet');
  await query(`COPY (FROM '${path}') TO '${from}' (format parquet)`);
  await query(
    `COPY (SELECT * REPLACE (${replace}) FROM '${from}') TO '${path}' (format parquet, kv_metadata {${metadata}})`,
  );
}

/** Returns the findings, except those about optional columns. */
async function found(): Promise<string[]> {
  const issues = await validateParquet(path);
  for (const issue of issues) expect(issue.severity).toBe(parquetRules[issue.rule as ParquetRule]);
  return issues
    .filter(issue => issue.rule !== 'parquet-column-nullable')
    .map(issue => `${issue.rule} | ${issue.path} | ${issue.message}`);
}

describe('rows', () => {
  const both = [gauge, latency];
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'an unknown type',
      `'summary' AS metric_type`,
      ['parquet-metric-type | row 0 (counted from 0), column metric_type | is "summary"'],
    ],
    [
      'a gauge without value',
      'NULL::DOUBLE AS value',
      ['parquet-fields | row 0 (counted from 0) | gauge g has no value'],
    ],
    [
      'a gauge with a sum',
      'coalesce(sum, 1) AS sum',
      ['parquet-fields | row 0 (counted from 0) | gauge g has a sum, count or bucket_count'],
    ],
    [
      'a gauge with a bucket_le',
      `coalesce(bucket_le, '1') AS bucket_le`,
      ['parquet-fields | row 0 (counted from 0) | gauge g has a bucket_le'],
    ],
    [
      'a histogram with a value',
      'coalesce(value, 1) AS value',
      ['parquet-fields | row 2 (counted from 0) | histogram h has a value'],
    ],
    [
      'a histogram without count',
      'NULL::DOUBLE AS count',
      ['parquet-fields | row 2 (counted from 0) | histogram h needs sum, count, bucket_le and bucket_count'],
    ],
    [
      'a missing endpoint',
      'NULL::VARCHAR AS endpoint_url',
      ['parquet-null | row 0 (counted from 0), column endpoint_url | is null'],
    ],
    [
      'a missing timestamp',
      'NULL::BIGINT AS timestamp_ns',
      ['parquet-null | row 0 (counted from 0), column timestamp_ns | is null'],
    ],
    [
      'NaN',
      `if(value IS NULL, NULL, 'NaN'::DOUBLE) AS value`,
      ['parquet-number | row 0 (counted from 0), column value | of g is NaN'],
    ],
    [
      'an infinite sum',
      `if(sum IS NULL, NULL, 'Infinity'::DOUBLE) AS sum`,
      ['parquet-number | row 2 (counted from 0), column sum | of h is Infinity'],
    ],
    [
      'a negative sum',
      '-sum AS sum',
      [
        'parquet-negative | row 2 (counted from 0), column sum | of h is -3; expected 0 or more, because deltas are clamped',
      ],
    ],
    [
      'milliseconds',
      'timestamp_ns // 1000000 AS timestamp_ns',
      [
        'parquet-time | row 0 (counted from 0), column timestamp_ns | is 1765793061967; expected nanoseconds since 1970',
      ],
    ],
    [
      'a timestamp before the period',
      'timestamp_ns - 1 AS timestamp_ns',
      [
        'parquet-time | row 0 (counted from 0), column timestamp_ns | is 1 ns before the start of the time filter',
      ],
    ],
    [
      'three scrapes after the period',
      `timestamp_ns + 60000000001 + if(metric_name = 'h', 7, 0) AS timestamp_ns`,
      [
        'parquet-time | row 2 (counted from 0), column timestamp_ns | is 8 ns after the end of the time filter; at most two scrapes per endpoint',
      ],
    ],
    [
      'one timestamp twice',
      `if(metric_name = 'g', 1765793061967310848, timestamp_ns) AS timestamp_ns`,
      [
        'parquet-row-repeated | row 1 (counted from 0) | gauge g has the same endpoint, labels and timestamp as the previous row',
      ],
    ],
    [
      'a bound that is no number',
      `replace(bucket_le, '0.5', 'half') AS bucket_le`,
      ['buckets-bounds | row 2 (counted from 0), column bucket_le | bucket "half" of h is not a number'],
    ],
    [
      'the same bound twice',
      `replace(bucket_le, '0.5', '1.0') AS bucket_le`,
      [
        'buckets-bounds | row 3 (counted from 0), column bucket_le | bucket "1" of h is the same bound as "1.0" in row 2',
      ],
    ],
    [
      'no +Inf',
      `replace(bucket_le, '+Inf', '7') AS bucket_le`,
      [
        'buckets-infinity | row 4 (counted from 0), column bucket_le | bucket "7" of h is the last bucket; expected +Inf',
      ],
    ],
    [
      'counts that fall',
      `if(bucket_le = '0.5', 2, bucket_count) AS bucket_count`,
      [
        'buckets-monotone | row 3 (counted from 0), column bucket_count | bucket "1" of h is 1, less than bucket "0.5" (2)',
      ],
    ],
    [
      'a count that is not that of +Inf',
      'count + 1 AS count',
      [
        'buckets-count | row 4 (counted from 0), column bucket_count | bucket "+Inf" of h is 2, but count is 3',
      ],
    ],
    [
      'a sum that differs among the buckets',
      `if(bucket_le = '1', sum + 1, sum) AS sum`,
      [
        'buckets-count | row 3 (counted from 0), column count | of h: sum 4 and count 2 differ from the first row of the timestamp (3 and 2)',
      ],
    ],
  ];
  test.each(cases)('%s', async (_, replace, expected) => {
    await changed(both, replace);
    const lines = await found();
    for (const line of expected) expect(lines).toContainEqual(expect.stringContaining(line));
    const rule = expected[0]!.split(' ')[0]!;
    expect(new Set(lines.map(line => line.split(' ')[0]))).toEqual(new Set([rule]));
  });

  test('a reset of another series does not allow decreasing buckets', async () => {
    const reset = histogram(
      'h',
      ['1', '+Inf'],
      [
        [1, 2],
        [0, 1],
        [2, 1],
      ],
    );
    await write([reset, histogram('i', ['1', '+Inf'], [[3, 2]])]);
    expect(await found()).toEqual([expect.stringContaining('buckets-monotone | row 7 ')]);
  });

  test('a negative counter', async () => {
    await changed([scalar('c', 'counter', [1, 2])], '-value AS value');
    expect(await found()).toEqual([
      'parquet-negative | row 0 (counted from 0), column value | of c is -1; expected 0 or more, because deltas are clamped',
      'parquet-negative | row 1 (counted from 0), column value | of c is -2; expected 0 or more, because deltas are clamped',
    ]);
  });

  test('buckets can be in any order in consecutive rows', async () => {
    await write([latency]);
    const from = join(folder, 'ordered.parquet');
    await query(`COPY (FROM '${path}' ORDER BY timestamp_ns, bucket_le DESC) TO '${from}' (format parquet)`);
    const issues = await validateParquet(from);
    expect(issues.filter(issue => issue.rule.startsWith('buckets'))).toEqual([]);
  });

  test('many findings of a rule are counted, not listed', async () => {
    await changed(
      [scalar('c', 'counter', Array(5000).fill(1), { timestampsNs: timestamps(5000) })],
      '-value AS value',
    );
    const lines = (await found()).filter(line => line.startsWith('parquet-negative'));
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe(
      'parquet-negative | the file | 4,990 more findings of this rule are not listed',
    );
  });
});

describe('columns', () => {
  async function select(columns: string): Promise<string[]> {
    await write([gauge]);
    const to = join(folder, 'columns.parquet');
    await query(`COPY (SELECT ${columns} FROM '${path}') TO '${to}' (format parquet)`);
    const issues = await validateParquet(to);
    return issues
      .filter(issue => issue.rule !== 'parquet-column-nullable' && issue.rule !== 'parquet-metadata-missing')
      .map(issue => `${issue.severity} ${issue.rule} | ${issue.path} | ${issue.message}`);
  }

  test.each([
    [
      'missing',
      '* EXCLUDE (description, value)',
      [
        'error parquet-column-missing | column description | is missing',
        'error parquet-column-missing | column value | is missing',
      ],
    ],
    [
      'of other types',
      `* REPLACE (timestamp_ns::DOUBLE AS timestamp_ns, value::FLOAT AS value, 1 AS engine)`,
      [
        'error parquet-column-type | column timestamp_ns | has type double; expected int64',
        'error parquet-column-type | column value | has type FLOAT; expected double',
        'error parquet-column-type | column engine | has type INT32; expected string',
      ],
    ],
    [
      'in another order',
      'metric_name, * EXCLUDE (metric_name)',
      [
        'error parquet-column-order | column metric_name | is column 0, but endpoint_url is expected there; the order is fixed columns, labels by name, values',
      ],
    ],
    [
      'of labels in another order',
      "*, 'x' AS a",
      [
        'error parquet-column-order | column engine | is column 6, but a is expected there; the order is fixed columns, labels by name, values',
      ],
    ],
  ])('%s', async (_, columns, expected) => {
    expect(await select(columns)).toEqual(expected);
  });

  test('that are optional and should be required are reported once each', async () => {
    await changed([gauge], 'value AS value');
    const issues = (await validateParquet(path)).map(
      issue => `${issue.rule} | ${issue.path} | ${issue.message}`,
    );
    expect(issues).toEqual(
      ['endpoint_url', 'metric_name', 'metric_type', 'timestamp_ns'].map(
        name => `parquet-column-nullable | column ${name} | is optional; expected required`,
      ),
    );
  });

  test('that DuckDB cannot distinguish cause a warning', async () => {
    await write([scalar('g', 'gauge', [1], { labels: { Model: 'a', model: 'b' } })]);
    expect(await validateParquet(path)).toMatchObject([
      { rule: 'parquet-column-case', severity: 'warning', path: 'column Model', value: 'Model' },
    ]);
  });
});

describe('metadata', () => {
  const cases: readonly (readonly [string, (metadata: Map<string, string>) => void, readonly string[]])[] = [
    [
      'without keys',
      metadata => {
        metadata.delete('aiperf.hostname');
        metadata.delete('aiperf.node_version');
      },
      [
        'parquet-metadata-missing | the metadata | has no aiperf.hostname, aiperf.python_version or aiperf.node_version',
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
      ['parquet-metadata-value | metadata aiperf.time_filter_end_ns | is not an integer'],
    ],
    [
      'with a period that ends before it starts',
      metadata => metadata.set('aiperf.time_filter_end_ns', '5'),
      [
        'parquet-metadata-value | metadata aiperf.time_filter_end_ns | is before the start of the time filter',
      ],
    ],
    [
      'with another duration',
      metadata => metadata.set('aiperf.profiling_duration_ns', '5'),
      [
        'parquet-metadata-value | metadata aiperf.profiling_duration_ns | is 5, but according to the time filter it should be 60000000000',
      ],
    ],
    [
      'with other counts',
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
      'with other label columns',
      metadata => metadata.set('aiperf.label_columns', '["zone"]'),
      ['parquet-metadata-value | metadata aiperf.label_columns | lists zone, but the file has engine'],
    ],
    [
      'with text that is not JSON',
      metadata => metadata.set('aiperf.input_config', '{'),
      ['parquet-metadata-value | metadata aiperf.input_config | is not JSON'],
    ],
    [
      'with values that are not lists',
      metadata => {
        metadata.set('aiperf.endpoint_urls', '"x"');
        metadata.set('aiperf.model_names', '[1]');
      },
      [
        'parquet-metadata-value | metadata aiperf.endpoint_urls | is not a JSON array of strings',
        'parquet-metadata-value | metadata aiperf.model_names | is not a JSON array of strings',
      ],
    ],
    [
      'with values that are not counts',
      metadata => metadata.set('aiperf.metric_type_counts', '{"gauge": "many"}'),
      ['parquet-metadata-value | metadata aiperf.metric_type_counts | is not an object of counts'],
    ],
  ];
  test.each(cases)('%s', async (_, change, expected) => {
    await write([gauge, latency], change);
    const lines = await found();
    for (const line of expected) expect(lines).toContainEqual(expect.stringContaining(line));
    expect(new Set(lines.map(line => line.split(' | ')[0]))).toEqual(
      new Set(expected.map(line => line.split(' | ')[0])),
    );
  });
});

test("a missing file rejects with the file system's error", async () => {
  await expect(validateParquet(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
});

test('a long value is truncated in the report', async () => {
  await write([gauge], metadata => metadata.set('aiperf.input_config', 'x'.repeat(10_000)));
  const [issue] = await validateParquet(path);
  expect(String(issue!.value)).toHaveLength(201);
});

test('a file of another kind causes one finding', async () => {
  writeFileSync(path, 'not a Parquet file');
  expect(await validateParquet(path)).toMatchObject([
    { rule: 'parquet-invalid', severity: 'error', path: 'the file' },
  ]);
});
