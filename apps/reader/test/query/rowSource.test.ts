import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { createFileSource, findRowSource, isGlob, isRemote } from '../../src/query/rowSource.ts';
import { writeTestFile } from '../support/runReader.ts';

const { path: folder, remove } = createTempFolder('row-source');
afterAll(remove);

test.each([
  ['s3://bucket/run.parquet', true],
  ['https://host/run.parquet', true],
  ['file:///run.parquet', false],
  ['runs/1', false],
  ['C:\\runs', false],
])('isRemote(%j) is %s', (name, expected) => {
  expect(isRemote(name)).toBe(expected);
});

test.each([
  ['runs/*/a.parquet', true],
  ['run?', true],
  ['run[12]', true],
  ['run', false],
])('isGlob(%j) is %s', (name, expected) => {
  expect(isGlob(name)).toBe(expected);
});

test.each([
  ['runs/a/x.parquet', 'runs/a'],
  ['x.parquet', 'x.parquet'],
  ['s3://bucket/x.parquet', 's3://bucket'],
])('names the run of %s after its folder, or after the file if it has no folder: %s', (file, run) => {
  expect(createFileSource(file)).toEqual({ run, parquet: file, partitioned: false });
});

describe('findRowSource', () => {
  const parquet = writeTestFile(folder, 'run/server_metrics_export.parquet', '');
  writeTestFile(folder, 'dataset/endpoint=a/0.parquet', '');
  writeTestFile(folder, 'json/server_metrics_export.json', '{}');

  test('finds the export in the folder of a run', async () => {
    const run = join(folder, 'run');
    expect(await findRowSource(run)).toEqual({ run, parquet, partitioned: false });
  });

  test('accepts a file', async () => {
    expect(await findRowSource(parquet)).toEqual({ run: parquet, parquet, partitioned: false });
  });

  test('recognizes a partitioned dataset by the names of its folders', async () => {
    const run = join(folder, 'dataset');
    expect(await findRowSource(run)).toEqual({ run, parquet: `${run}/**/*.parquet`, partitioned: true });
  });

  test('accepts a URL without reading it', async () => {
    expect(await findRowSource('https://host/run/x.parquet')).toMatchObject({ run: 'https://host/run' });
  });

  test.each([
    ['none', /^cannot read ".*none": no such file or folder$/],
    ['json', /contains no Parquet export, which is required for queries; collect with/],
  ])('rejects %s', async (name, message) => {
    mkdirSync(join(folder, 'json'), { recursive: true });
    await expect(findRowSource(join(folder, name))).rejects.toThrow(message);
  });
});
