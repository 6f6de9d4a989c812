import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateParquet } from '../../../src/parquet/index.ts';
import { buildScalar } from '../support/chunks.ts';
import { changeExport, folder, gauge, path, query, writeExport } from '../support/validation.ts';

describe('columns', () => {
  async function findColumnProblems(columns: string): Promise<string[]> {
    await writeExport([gauge]);
    const to = join(folder, 'columns.parquet');
    await query(`COPY (SELECT ${columns} FROM '${path}') TO '${to}' (format parquet)`);
    const issues = await validateParquet(to);
    return issues
      .filter(issue => issue.rule !== 'parquet-metadata-missing')
      .map(issue => `${issue.severity} ${issue.rule} | ${issue.place} | ${issue.message}`);
  }

  test.each([
    [
      'missing',
      '* EXCLUDE (description, value)',
      [
        'error parquet-column-missing | column description | is missing; expected a column of type string',
        'error parquet-column-missing | column value | is missing; expected a column of type double',
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
      'labels in another order',
      "*, 'x' AS a",
      [
        'error parquet-column-order | column engine | is column 6, but a is expected there; the order is fixed columns, labels by name, values',
      ],
    ],
  ])('are reported if they are %s', async (_, columns, expected) => {
    expect(await findColumnProblems(columns)).toEqual(expected);
  });

  test('may be optional, as in files of pyarrow and DuckDB', async () => {
    await changeExport([gauge], 'value AS value');
    expect(await validateParquet(path)).toEqual([]);
  });

  test('that DuckDB cannot distinguish cause a warning', async () => {
    await writeExport([buildScalar('g', 'gauge', [1], { labels: { Model: 'a', model: 'b' } })]);
    expect(await validateParquet(path)).toMatchObject([
      { rule: 'parquet-column-case', severity: 'warning', place: 'column Model', value: 'Model' },
    ]);
  });
});
