import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { temporaryFolder } from '../../../../packages/analysis/test/documents.ts';
import { writeParquetRun } from './parquetRun.ts';
import { runReader } from './runReader.ts';

/** Two runs with Parquet exports: the counters of `one` and `two` increase by 5 and 7 per second. */
export interface QueriedRuns {
  readonly folder: string;
  readonly one: string;
  readonly two: string;
}

/** Creates runs for the tests of a file, and removes them afterwards. The label of `two` is `engine`. */
export function createQueriedRuns(name: string): QueriedRuns {
  const { path: folder, remove } = temporaryFolder(name);
  const runs = { folder, one: join(folder, 'one'), two: join(folder, 'two') };
  beforeAll(async () => {
    await writeParquetRun(runs.one, 5);
    await writeParquetRun(runs.two, 7, 'engine');
  });
  afterAll(remove);
  return runs;
}

/** Runs a query and returns its rows. The last argument is the SQL. */
export async function queryRows(...args: string[]): Promise<unknown> {
  const { code, out, err } = await runReader(['query', ...args, '--format', 'json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}
