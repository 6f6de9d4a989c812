import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateParquet } from '../../../src/parquet/index.ts';
import { buildHistogram, buildScalar, createTimestamps } from '../support/chunks.ts';
import {
  changeExport,
  findProblems,
  folder,
  gauge,
  latency,
  path,
  query,
  writeExport,
} from '../support/validation.ts';

describe('rows', () => {
  const chunks = [gauge, latency];
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'two units',
      `CASE WHEN timestamp_ns = (SELECT max(timestamp_ns) FROM '${join(folder, 'from.parquet')}' f WHERE f.metric_name = 'g') AND metric_name = 'g' THEN 's' ELSE unit END AS unit`,
      ['parquet-metric | row 1 (counted from 0), column unit | of g is s, but'],
    ],
    [
      'timestamps out of order',
      `CASE WHEN metric_name = 'g' THEN 2 * (SELECT min(timestamp_ns) FROM '${join(folder, 'from.parquet')}') + 1000000000 - timestamp_ns ELSE timestamp_ns END AS timestamp_ns`,
      [
        'parquet-time-order | row 1 (counted from 0), column timestamp_ns | is before the timestamp of an earlier row',
      ],
    ],
    [
      'an endpoint that the metadata does not list',
      `'http://other/metrics' AS endpoint_url`,
      [
        'parquet-metadata-value | row 0 (counted from 0), column endpoint_url | is "http://other/metrics", which is not in metadata',
      ],
    ],
    [
      'an unknown type',
      `'summary' AS metric_type`,
      ['parquet-metric-type | row 0 (counted from 0), column metric_type | is "summary"'],
    ],
    [
      'a gauge without a value',
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
      'a histogram without a count',
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
      'a value of NaN',
      `if(value IS NULL, NULL, 'NaN'::DOUBLE) AS value`,
      ['parquet-number | row 0 (counted from 0), column value | of g is NaN'],
    ],
    [
      'an infinite sum',
      `if(sum IS NULL, NULL, 'Infinity'::DOUBLE) AS sum`,
      ['parquet-number | row 2 (counted from 0), column sum | of h is Infinity'],
    ],
    [
      'timestamps in milliseconds',
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
      'a repeated timestamp',
      `if(metric_name = 'g', 1765793061967310848, timestamp_ns) AS timestamp_ns`,
      [
        'parquet-row-repeated | row 1 (counted from 0) | gauge g has the same endpoint, labels and timestamp as the previous row',
      ],
    ],
    [
      'a bound that is not a number',
      `replace(bucket_le, '0.5', 'half') AS bucket_le`,
      ['buckets-bounds | row 2 (counted from 0), column bucket_le | bucket "half" of h is not a number'],
    ],
    [
      'a repeated bound',
      `replace(bucket_le, '0.5', '1.0') AS bucket_le`,
      [
        'buckets-bounds | row 3 (counted from 0), column bucket_le | bucket "1" of h is the same bound as "1.0" in row 2',
      ],
    ],
    [
      'no +Inf bucket',
      `replace(bucket_le, '+Inf', '7') AS bucket_le`,
      [
        'buckets-infinity | row 4 (counted from 0), column bucket_le | bucket "7" of h is the last bucket; expected +Inf',
      ],
    ],
    [
      'decreasing bucket counts',
      `if(bucket_le = '0.5', 2, bucket_count) AS bucket_count`,
      [
        'buckets-monotone | row 3 (counted from 0), column bucket_count | bucket "1" of h is 1, less than bucket "0.5" (2)',
      ],
    ],
    [
      'a count that differs from the +Inf bucket',
      'count + 1 AS count',
      [
        'buckets-count | row 4 (counted from 0), column bucket_count | bucket "+Inf" of h is 2, but count is 3',
      ],
    ],
    [
      'a sum that differs between buckets of a timestamp',
      `if(bucket_le = '1', sum + 1, sum) AS sum`,
      [
        'buckets-count | row 3 (counted from 0), column count | of h: sum 4 and count 2 differ from the first row of the timestamp (3 and 2)',
      ],
    ],
  ];
  test.each(cases)('are reported if they contain %s', async (_, replace, expected) => {
    await changeExport(chunks, replace);
    const lines = await findProblems();
    for (const line of expected) expect(lines).toContainEqual(expect.stringContaining(line));
    const rule = expected[0]!.split(' ')[0]!;
    expect(new Set(lines.map(line => line.split(' ')[0]))).toEqual(new Set([rule]));
  });

  test('are reported if they contain decreasing buckets and only another series was reset', async () => {
    const reset = buildHistogram(
      'h',
      ['1', '+Inf'],
      [
        [1, 2],
        [0, 1],
        [2, 1],
      ],
    );
    await writeExport([reset, buildHistogram('i', ['1', '+Inf'], [[3, 2]])]);
    expect(await findProblems()).toEqual([expect.stringContaining('buckets-monotone | row 7 ')]);
  });

  test('are reported if they contain a negative counter', async () => {
    await changeExport([buildScalar('c', 'counter', [1, 2])], '-value AS value');
    expect(await findProblems()).toEqual([
      'parquet-negative | row 0 (counted from 0), column value | of c is -1; expected 0 or more, because deltas are clamped',
      'parquet-negative | row 1 (counted from 0), column value | of c is -2; expected 0 or more, because deltas are clamped',
    ]);
  });

  test('can contain negative sums, because observations can be negative', async () => {
    await changeExport(chunks, '-sum AS sum');
    expect(await findProblems()).toEqual([]);
  });

  test('can contain the buckets of a timestamp in any order', async () => {
    await writeExport([latency]);
    const from = join(folder, 'ordered.parquet');
    await query(`COPY (FROM '${path}' ORDER BY timestamp_ns, bucket_le DESC) TO '${from}' (format parquet)`);
    const issues = await validateParquet(from);
    expect(issues.filter(issue => issue.rule.startsWith('buckets'))).toEqual([]);
  });

  test('are counted instead of listed after ten findings of a rule', async () => {
    await changeExport(
      [buildScalar('c', 'counter', Array(5000).fill(1), { timestampsNs: createTimestamps(5000) })],
      '-value AS value',
    );
    const lines = (await findProblems()).filter(line => line.startsWith('parquet-negative'));
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe(
      'parquet-negative | the file | 4,990 more findings of this rule are not listed',
    );
  });
});
