import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase, QueryError, toQueryError } from '../../src/query/database.ts';
import { createQueriedRuns } from '../support/queries.ts';
import { writeTestFile } from '../support/runReader.ts';

const { folder, runA, runB } = createQueriedRuns('database');

async function listSources(...runs: string[]): Promise<string[]> {
  const database = await openDatabase(runs);
  database.close();
  return database.sources.map(({ run }) => run);
}

test('opens a run only once if it is specified twice', async () => {
  expect(await listSources(runA, join(runA, 'server_metrics_export.parquet'), runB)).toEqual([runA, runB]);
});

test('expands globs to Parquet files', async () => {
  expect(await listSources(join(folder, '*', '*'))).toEqual([runA, runB]);
});

test('lists all columns, including the labels of every run', async () => {
  const database = await openDatabase([runA, runB]);
  database.close();
  expect(database.columns).toEqual(expect.arrayContaining(['run', 'value', 'model_name', 'engine']));
});

test.each([
  ['a glob without matches', '*.nothing', /^no file matches ".*\*\.nothing"$/],
  ['a glob without Parquet files', '*/*.txt', /^no Parquet file matches ".*"; the pattern should end in/],
  ['a broken file', 'broken.parquet', /^cannot read the rows of .*broken\.parquet: /],
])('rejects %s', async (_, name, message) => {
  writeTestFile(folder, 'text/notes.txt', '');
  writeTestFile(folder, 'broken.parquet', 'PAR1 not a Parquet file PAR1');
  await expect(openDatabase([join(folder, name)])).rejects.toThrow(message);
});

describe('toQueryError', () => {
  test.each([
    ['Parser Error: syntax error', 'Parser Error: syntax error'],
    ['Failed to extract statements: Parser Error: x', 'Parser Error: x'],
    ['INTERRUPT Error: Interrupted!', 'INTERRUPT Error: Interrupted!'],
  ])('converts %j', (message, expected) => {
    const error = toQueryError(new Error(message));
    expect(error).toBeInstanceOf(QueryError);
    expect((error as Error).message).toBe(expected);
  });

  test('returns other errors unchanged', () => {
    const error = new TypeError('x is not a function');
    expect(toQueryError(error)).toBe(error);
  });
});
