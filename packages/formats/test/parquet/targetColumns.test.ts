import { expect, test } from 'vitest';
import {
  listSeriesLabelColumns,
  planTargetColumns,
  TARGET_COLUMNS_KEY,
} from '../../src/parquet/targetColumns.ts';

test.each<[string, string[], string[], Record<string, string>]>([
  ['each label once', ['pod', 'node', 'pod'], ['model'], { node: 'target_node', pod: 'target_pod' }],
  ['no label whose column a series has', ['pod', 'node'], ['TARGET_POD'], { node: 'target_node' }],
  ['one of two labels that differ in case', ['Pod', 'pod'], [], { Pod: 'target_Pod' }],
])('plans columns for %s', (_, targetLabels, seriesLabels, expected) => {
  expect(Object.fromEntries(planTargetColumns(targetLabels, seriesLabels))).toEqual(expected);
});

const createColumn = (name: string, type: 'string' | 'double' = 'string') => ({ name, type }) as never;
const COLUMNS = [
  createColumn('endpoint_url'),
  createColumn('model'),
  createColumn('target_pod'),
  createColumn('value', 'double'),
];

test.each<[string, string | undefined, string[]]>([
  ['of a file that lists columns of targets', '["target_pod"]', ['model']],
  ['of another program', undefined, ['model', 'target_pod']],
  ['of a file with invalid metadata', '{', ['model', 'target_pod']],
])('lists the label columns %s', (_, text, expected) => {
  const metadata = new Map(text === undefined ? [] : [[TARGET_COLUMNS_KEY, text]]);
  expect(listSeriesLabelColumns({ columns: COLUMNS, metadata })).toEqual(expected);
});
