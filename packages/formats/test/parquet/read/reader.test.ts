import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getDoubles, getInt64s, getTexts, readServerMetricsParquet } from '../../../src/parquet/index.ts';
import { buildHistogram, buildScalar } from '../support/chunks.ts';
import { collect } from '../support/collect.ts';
import { createTemporaryFolder, writeChunks } from '../support/files.ts';

const folder = createTemporaryFolder();
const path = join(folder, 'x.parquet');
const chunks = [
  buildHistogram(
    'a',
    ['1', '+Inf'],
    [
      [0, 1],
      [2, 3],
    ],
    { labels: { engine: '0' } },
  ),
  buildScalar('b', 'gauge', [1, -0, 0.1], { unit: 'ratio' }),
];
await writeChunks(path, chunks, {
  rowGroupRows: 4,
  metadata: [
    ['aiperf.version', '9.9'],
    ['aiperf.hostname', 'ü'],
  ],
});

describe('readServerMetricsParquet', () => {
  test('returns the number of rows, the columns and the metadata before any batch is read', async () => {
    const reader = await readServerMetricsParquet(path);
    expect({ rows: reader.rows, rowGroups: reader.rowGroups, createdBy: reader.createdBy }).toEqual({
      rows: 7,
      rowGroups: 2,
      createdBy: 'servelens version 9.9',
    });
    expect([...reader.metadata]).toEqual([
      ['aiperf.version', '9.9'],
      ['aiperf.hostname', 'ü'],
    ]);
    expect(reader.columns.slice(4, 8)).toEqual([
      { name: 'description', type: 'string', declared: 'BYTE_ARRAY', nullable: true },
      { name: 'timestamp_ns', type: 'int64', declared: 'INT64', nullable: false },
      { name: 'engine', type: 'string', declared: 'BYTE_ARRAY', nullable: true },
      { name: 'value', type: 'double', declared: 'DOUBLE', nullable: true },
    ]);
    await reader.close();
    await reader.close();
  });

  test('returns batches that do not cross row groups', async () => {
    const reader = await readServerMetricsParquet(path);
    const sizes: unknown[] = [];
    for await (const { rows, rowGroup, firstRow } of reader.batches({ batchRows: 3 }))
      sizes.push([rowGroup, firstRow, rows]);
    expect(sizes).toEqual([
      [0, 0, 3],
      [0, 3, 1],
      [1, 4, 3],
    ]);
    await reader.close();
  });

  test('returns typed columns', async () => {
    const reader = await readServerMetricsParquet(path);
    const [first, second] = await collect(reader.batches());
    const le = getTexts(first!, 'bucket_le');
    expect([[...le.codes], le.texts]).toEqual([
      [0, 1, 0, 1],
      ['1', '+Inf'],
    ]);
    expect(getDoubles(first!, 'sum')).toEqual({
      type: 'double',
      values: Float64Array.of(1.5, 1.5, 4.5, 4.5),
    });
    expect(getDoubles(first!, 'value').present).toEqual(new Uint8Array(4));
    expect(getDoubles(first!, 'value').values).toEqual(new Float64Array(4).fill(Number.NaN));
    expect(getInt64s(second!, 'timestamp_ns').values).toEqual(chunks[1]!.timestampsNs);
    expect(getDoubles(second!, 'value').values).toEqual(Float64Array.of(1, -0, 0.1));
    expect([...getTexts(second!, 'engine').codes]).toEqual([-1, -1, -1]);
    await reader.close();
  });

  test('reads only the requested columns', async () => {
    const reader = await readServerMetricsParquet(path);
    for await (const { columns } of reader.batches({ columns: ['value', 'metric_name', 'missing'] })) {
      expect([...columns.keys()]).toEqual(['metric_name', 'value']);
    }
    await reader.close();
  });

  test('can be iterated again after an early exit, until iterating the reader itself closes it', async () => {
    const reader = await readServerMetricsParquet(path);
    for await (const { firstRow } of reader.batches({ batchRows: 1 })) if (firstRow === 2) break;
    let rows = 0;
    for await (const batch of reader) rows += batch.rows;
    expect(rows).toBe(7);
    await expect(reader.batches().next()).rejects.toThrow();
  });
});

describe('an invalid call', () => {
  test.each([0, -1, 1.5, Number.NaN])('with batches of %d rows throws', async batchRows => {
    const reader = await readServerMetricsParquet(path);
    await expect(reader.batches({ batchRows }).next()).rejects.toThrow(`batchRows is ${batchRows}`);
    await reader.close();
  });

  test("for a missing file or a folder rejects with the file system's error", async () => {
    await expect(readServerMetricsParquet(join(folder, 'missing'))).rejects.toThrow('ENOENT');
    await expect(readServerMetricsParquet(folder)).rejects.toThrow('EISDIR');
  });
});
