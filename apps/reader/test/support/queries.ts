import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { writeParquetRun } from './parquetRun.ts';
import { runReader } from './runReader.ts';

/** Two runs with Parquet exports. The counter of `runA` increases by 5 per second, and the counter of `runB` by 7. */
export interface QueriedRuns {
  readonly folder: string;
  readonly runA: string;
  readonly runB: string;
}

/** Creates runs for the tests of a file, and removes them afterwards. The label of `runB` is `engine`. */
export function createQueriedRuns(name: string): QueriedRuns {
  const { path: folder, remove } = createTempFolder(name);
  const runs = { folder, runA: join(folder, 'a'), runB: join(folder, 'b') };
  beforeAll(async () => {
    await writeParquetRun(runs.runA, 5);
    await writeParquetRun(runs.runB, 7, 'engine');
  });
  afterAll(remove);
  return runs;
}

/** Runs a query and returns its rows. The arguments are the runs, followed by the SQL. */
export async function queryRows(...args: string[]): Promise<unknown> {
  const { code, out, err } = await runReader(['query', ...args, '--format', 'json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}
