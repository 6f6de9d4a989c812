import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findSampleFiles } from '../../src/open/sampleFiles.ts';
import { RunInputError } from '../../src/runInputError.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function createFiles(...names: string[]): void {
  for (const name of names) writeFileSync(join(folder, name), '');
}

test('finds the files of the only run in a folder', async () => {
  createFiles(
    'server_metrics_export.json',
    'server_metrics_export.parquet',
    'server_metrics.journal',
    'notes.txt',
  );
  expect(await findSampleFiles(folder, undefined)).toEqual({
    folder,
    files: {
      json: join(folder, 'server_metrics_export.json'),
      parquet: join(folder, 'server_metrics_export.parquet'),
      journal: join(folder, 'server_metrics.journal'),
    },
  });
});

test('selects one of several runs by prefix', async () => {
  createFiles('a_server_metrics.jsonl', 'b_server_metrics.jsonl');
  const { prefix, files } = await findSampleFiles(folder, 'b');
  expect(prefix).toBe('b');
  expect(files).toEqual({ jsonl: join(folder, 'b_server_metrics.jsonl') });
});

test('returns only the file that is given by path and its JSON export', async () => {
  createFiles('server_metrics_export.json', 'server_metrics_export.parquet', 'server_metrics_export.jsonl');
  const file = join(folder, 'server_metrics_export.parquet');
  expect((await findSampleFiles(file, undefined)).files).toEqual({
    json: join(folder, 'server_metrics_export.json'),
    parquet: file,
  });
});

describe('rejects', () => {
  test.each([
    ['a folder without exports', [], '', 'no journal, Parquet, JSONL or JSON export in'],
    ['several runs', ['a_server_metrics.json', 'server_metrics_export.json'], '', 'select one by its prefix'],
    ['several journals', ['server_metrics.journal', 'server_metrics-2.journal'], '', 'specify one of them'],
    ['a file with an unrecognized name', ['x.parquet'], 'x.parquet', 'unrecognized file name'],
    ['a missing folder', [], 'missing', 'cannot read'],
  ])('%s', async (_, names, path, message) => {
    createFiles(...names);
    const search = findSampleFiles(join(folder, path), undefined);
    await expect(search).rejects.toThrow(message);
    await expect(search).rejects.toThrow(RunInputError);
  });
});
