import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  ParquetError,
  type ParquetErrorCode,
  readServerMetricsParquet,
  validateParquet,
} from '../../../src/parquet/index.ts';
import { int64 } from '../../../src/parquet/write/thrift.ts';
import { changeFooter } from './broken.ts';
import { buildHistogram, buildScalar } from './chunks.ts';
import { collect } from './collect.ts';
import { createSharedFolder, writeChunks } from './files.ts';

const folder = createSharedFolder();
/** Path that `readAll` writes each file to before it reads the file. */
export const path = join(folder, 'broken.parquet');

const validPath = join(folder, 'whole.parquet');
await writeChunks(
  validPath,
  [
    buildHistogram(
      'a',
      ['1', '+Inf'],
      [
        [0, 1],
        [2, 3],
      ],
    ),
    buildScalar('b', 'gauge', [1, 2]),
  ],
  {
    rowGroupRows: 4,
  },
);
/** A valid file with a histogram and a gauge. */
export const file: Buffer = readFileSync(validPath);
const oneRowPath = join(folder, 'one-row.parquet');
await writeChunks(oneRowPath, [buildScalar('b', 'gauge', [1])]);
/** A valid file with one row. */
export const oneRowFile: Buffer = readFileSync(oneRowPath);

/** Reads all rows of a file. */
export async function readAll(bytes: Uint8Array): Promise<unknown> {
  writeFileSync(path, bytes);
  const reader = await readServerMetricsParquet(path);
  try {
    return await collect(reader.batches());
  } finally {
    await reader.close();
  }
}

async function catchError(bytes: Uint8Array): Promise<ParquetError> {
  const error = await readAll(bytes).then(
    () => new Error('the file was read without an error'),
    (reason: unknown) => reason,
  );
  if (error instanceof ParquetError) return error;
  throw error;
}

/** A hostile file, with the code and a part of the message of the error that reading it throws. */
export type HostileCase = readonly [
  name: string,
  build: () => Uint8Array,
  code: ParquetErrorCode,
  message: string,
];

/** Expects that the reader rejects a file and that the validator reports it. */
export async function expectRejection([, build, code, message]: HostileCase): Promise<void> {
  const error = await catchError(build());
  expect(error.message).toContain(message);
  expect(error.code).toBe(code);
  const rule = code === 'unsupported' ? 'parquet-unsupported' : 'parquet-invalid';
  expect((await validateParquet(path)).map(issue => issue.rule)).toContain(rule);
}

/** Returns a copy of a file with one row group whose footer states another number of rows. */
export const changeRowCount = (bytes: Buffer, rows: number): Buffer =>
  changeFooter(bytes, footer => {
    footer.num_rows = int64(rows);
    footer.row_groups[0]!.num_rows = int64(rows);
    for (const { meta_data } of footer.row_groups[0]!.columns) meta_data!.num_values = int64(rows);
  });

/** Expects that the tests of the calling file increase the resident memory by less than 400 MB. */
export function checkMemoryAfterTests(): void {
  let rssBeforeBytes = 0;
  beforeAll(() => {
    rssBeforeBytes = process.memoryUsage().rss;
  });
  afterAll(() => {
    expect(process.memoryUsage().rss - rssBeforeBytes).toBeLessThan(400e6);
  });
}
