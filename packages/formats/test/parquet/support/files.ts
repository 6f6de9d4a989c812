import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import {
  type MetadataEntry,
  openServerMetricsParquet,
  type ParquetSummary,
  planLabelColumns,
  readServerMetricsParquet,
  type SeriesChunk,
} from '../../../src/parquet/index.ts';
import type { Row } from './chunks.ts';

/** Creates a folder, and removes it after the tests of the calling file. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'formats-parquet-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const sharedFolders: string[] = [];

/** Creates a folder for all test files that use the calling module. It is empty at the start of each of them. */
export function createSharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'formats-parquet-'));
  sharedFolders.push(folder);
  return folder;
}

/** Creates the shared folders again. Runs before each test file. */
export function recreateSharedFolders(): void {
  for (const folder of sharedFolders) mkdirSync(folder, { recursive: true });
}

/** Removes the shared folders. Runs after each test file. */
export function removeSharedFolders(): void {
  for (const folder of sharedFolders) rmSync(folder, { recursive: true, force: true });
}

export function listLabelColumns(chunks: readonly SeriesChunk[]): readonly string[] {
  return planLabelColumns(chunks.flatMap(chunk => chunk.labels.map(([name]) => name))).columns;
}

/** Writes chunks to `path`, with their label columns. */
export async function writeChunks(
  path: string,
  chunks: readonly SeriesChunk[],
  options: { metadata?: readonly MetadataEntry[]; rowGroupRows?: number } = {},
): Promise<ParquetSummary> {
  const { metadata = [], ...rest } = options;
  const writer = await openServerMetricsParquet(path, {
    labelColumns: listLabelColumns(chunks),
    metadata,
    ...rest,
  });
  for (const chunk of chunks) await writer.appendSeries(chunk);
  return writer.close();
}

/** Reads all rows of a file. */
export async function readRows(path: string, batchRows?: number): Promise<Row[]> {
  const reader = await readServerMetricsParquet(path);
  const rows: Row[] = [];
  try {
    for await (const batch of reader.batches(batchRows === undefined ? {} : { batchRows })) {
      for (let row = 0; row < batch.rows; row++) {
        const cells = Array.from(
          batch.columns,
          ([name, column]): [string, string | number | bigint | null] => {
            if (column.type === 'string')
              return [name, column.codes[row]! < 0 ? null : column.texts[column.codes[row]!]!];
            return [name, column.present?.[row] === 0 ? null : column.values[row]!];
          },
        );
        // A label named __proto__ would be lost in an assignment.
        rows.push(Object.fromEntries(cells));
      }
    }
  } finally {
    await reader.close();
  }
  return rows;
}
