import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { buildHistogram, buildScalar, listExpectedRows } from '../support/chunks.ts';
import { createTemporaryFolder, listLabelColumns, writeChunks } from '../support/files.ts';
import { createExampleRun } from '../support/run.ts';

const folder = createTemporaryFolder();

const runs = [
  ['an example run', createExampleRun(), 100],
  [
    'unusual labels and numbers',
    [
      buildScalar('x', 'gauge', [-0, 5e-324, Number.MAX_VALUE], {
        labels: JSON.parse('{"__proto__":"p","le":"","ü":"\\u0000"}'),
      }),
      buildHistogram('y', ['+Inf'], [[1]]),
    ],
    1000,
  ],
  [
    'values that never repeat',
    [
      buildScalar(
        'x',
        'gauge',
        Array.from({ length: 3000 }, (_, i) => Math.sqrt(i)),
      ),
    ],
    1000,
  ],
] as const;

test.each(runs)('hyparquet reads %s', async (name, chunks, rowGroupRows) => {
  const path = join(folder, `${name}.parquet`);
  const metadata = [['aiperf.hostname', 'ü']] as const;
  await writeChunks(path, chunks, { rowGroupRows, metadata });
  const file = await asyncBufferFromFile(path);
  const rows = await parquetReadObjects({ file });
  const expected = chunks.flatMap(chunk => listExpectedRows(chunk, listLabelColumns(chunks)));
  // hyparquet assigns labels to object properties, so a label named __proto__ is lost.
  const omitPrototypeLabel = (row: object) => Object.entries(row).filter(([key]) => key !== '__proto__');
  expect(rows.map(omitPrototypeLabel)).toEqual(expected.map(omitPrototypeLabel));
  const footer = await parquetMetadataAsync(file);
  expect(footer.key_value_metadata).toEqual([{ key: 'aiperf.hostname', value: 'ü' }]);
  expect(footer.created_by).toBe('servelens');
});

test('hyparquet reads the sorting columns and bounds of row groups', async () => {
  const path = join(folder, 'sorted.parquet');
  const [a, b] = [buildScalar('a', 'gauge', [3, -0]), buildScalar('b', 'gauge', [1])];
  await writeChunks(path, [a, b, b, a], { rowGroupRows: 4 });
  const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  const byMetric = [{ column_idx: 1, descending: false, nulls_first: false }];
  expect(row_groups.map(group => [group.num_rows, group.sorting_columns])).toEqual([
    [2n, byMetric],
    [2n, byMetric],
    [2n, byMetric],
  ]);
  const value = row_groups[0]!.columns.find(column => column.meta_data?.path_in_schema[0] === 'value');
  expect(value?.meta_data?.statistics).toMatchObject({ min_value: -0, max_value: 3, null_count: 0n });
  await writeChunks(path, [b, a], { rowGroupRows: 100 });
  const unsorted = await parquetMetadataAsync(await asyncBufferFromFile(path));
  expect(unsorted.row_groups[0]!.sorting_columns).toBeUndefined();
});
