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
import { createTemporaryFolder, writeChunks } from './files.ts';

const folder = createTemporaryFolder();
/** The path that files are written to before they are read. */
export const path = join(folder, 'broken.parquet');

const whole = join(folder, 'whole.parquet');
await writeChunks(
  whole,
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
export const file: Buffer = readFileSync(whole);
const oneRow = join(folder, 'one-row.parquet');
await writeChunks(oneRow, [buildScalar('b', 'gauge', [1])]);
/** A valid file with one row. */
export const one: Buffer = readFileSync(oneRow);

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
    () => new Error('it was read'),
    (reason: unknown) => reason,
  );
  if (error instanceof ParquetError) return error;
  throw error;
}

/** A file, and the code of the error that rejects it and a part of its message. */
export type HostileCase = readonly [
  file: string,
  build: () => Uint8Array,
  code: ParquetErrorCode,
  message: string,
];

/** Expects that reading a file and validating it both reject it. */
export async function expectRejection([, build, code, message]: HostileCase): Promise<void> {
  const error = await catchError(build());
  expect(error.message).toContain(message);
  expect(error.code).toBe(code);
  const rule = code === 'unsupported' ? 'parquet-unsupported' : 'parquet-invalid';
  expect((await validateParquet(path)).map(issue => issue.rule)).toContain(rule);
}

/** Changes the number of rows of a file with one row group. */
export const changeRowCount = (bytes: Buffer, rows: number): Buffer =>
  changeFooter(bytes, footer => {
    footer.num_rows = int64(rows);
    footer.row_groups[0]!.num_rows = int64(rows);
    for (const { meta_data } of footer.row_groups[0]!.columns) meta_data!.num_values = int64(rows);
  });

/** Expects that the tests of this file need little memory. */
export function limitMemory(): void {
  let heldBefore = 0;
  beforeAll(() => {
    heldBefore = process.memoryUsage().rss;
  });
  afterAll(() => {
    expect(process.memoryUsage().rss - heldBefore).toBeLessThan(400e6);
  });
}
