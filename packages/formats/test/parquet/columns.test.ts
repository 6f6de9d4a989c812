import { describe, expect, test } from 'vitest';
import { listColumns } from '../../src/parquet/columns.ts';
import { planLabelColumns, RESERVED_COLUMNS } from '../../src/parquet/index.ts';

describe('planLabelColumns', () => {
  test.each([
    ['sorts names and removes duplicates', ['b', 'a', 'b'], ['a', 'b']],
    ['sorts capitals first, as Python does', ['b', 'B', '_', 'a'], ['B', '_', 'a', 'b']],
    ['sorts by code point, not by UTF-16 unit', ['\u{1F600}', '\uFF5E', 'z'], ['z', '\uFF5E', '\u{1F600}']],
    ['keeps names of object properties', ['__proto__', 'constructor'], ['__proto__', 'constructor']],
    ['returns no columns for no labels', [], []],
  ])('%s', (_, names, columns) => {
    expect(planLabelColumns(names).columns).toEqual(columns);
  });

  test('excludes the eleven reserved names and lists them', () => {
    expect(RESERVED_COLUMNS).toHaveLength(11);
    expect(planLabelColumns([...RESERVED_COLUMNS, 'engine'])).toEqual({
      columns: ['engine'],
      excluded: [...RESERVED_COLUMNS].sort(),
      ambiguous: [],
    });
  });

  test('excludes names that differ from reserved names in case only', () => {
    expect(planLabelColumns(['Value', 'COUNT', 'value2'])).toMatchObject({
      columns: ['value2'],
      excluded: ['COUNT', 'Value'],
    });
  });

  test('keeps labels that differ in case only, and lists them', () => {
    expect(planLabelColumns(['model', 'Model', 'MODEL', 'engine'])).toEqual({
      columns: ['MODEL', 'Model', 'engine', 'model'],
      excluded: [],
      ambiguous: [['MODEL', 'Model', 'model']],
    });
  });
});

test('lists fixed columns, labels and value columns in order', () => {
  expect(
    listColumns(['engine', 'model_name']).map(
      ({ name, type, nullable }) => `${name} ${type}${nullable ? '?' : ''}`,
    ),
  ).toEqual([
    'endpoint_url string',
    'metric_name string',
    'metric_type string',
    'unit string?',
    'description string?',
    'timestamp_ns int64',
    'engine string?',
    'model_name string?',
    'value double?',
    'sum double?',
    'count double?',
    'bucket_le string?',
    'bucket_count double?',
  ]);
});
