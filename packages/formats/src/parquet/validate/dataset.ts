import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Issue } from '../../validate/issue.ts';
import { validateParquet } from './validate.ts';

/**
 * Validates each file of a partitioned dataset with `validateParquet`. The place of each finding starts with
 * the file name.
 *
 * @throws the file system's error if a folder or file cannot be read
 */
export async function* validateDataset(folder: string): AsyncGenerator<Issue> {
  let files = 0;
  for await (const file of listFiles(folder, '')) {
    files++;
    for (const issue of await validateParquet(join(folder, file)))
      yield { ...issue, file, place: `${file}: ${issue.place}` };
  }
  if (files > 0) return;
  yield {
    rule: 'parquet-invalid',
    severity: 'error',
    path: [],
    place: 'the dataset',
    message: 'has no files; expected endpoint_url=…/metric_name=…/part-0.parquet',
  };
}

/** Yields the *.parquet files of a dataset. Names that start with `.` or `_` are ignored, as in Hive. */
async function* listFiles(root: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (/^[._]/.test(entry.name)) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(root, path);
    else if (entry.isFile() && entry.name.endsWith('.parquet')) yield path;
  }
}
