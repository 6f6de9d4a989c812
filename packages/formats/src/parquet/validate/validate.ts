import type { Issue } from '../../validate/issue.ts';
import { ParquetError } from '../error.ts';
import { readServerMetricsParquet, type ServerMetricsParquetReader } from '../read/reader.ts';
import { Findings } from './findings.ts';
import { checkMetadata, checkPartition } from './metadata.ts';
import { RowChecker } from './rows.ts';
import { checkColumns, listLabelColumns } from './schema.ts';

/** Rows per batch. Larger batches need more memory and are not faster. */
const BATCH_ROWS = 1 << 14;

/**
 * Validates a Parquet export of server metrics: the file format, its columns, its metadata and every row.
 * Lists the first ten findings of each rule and counts the others. Memory use is bounded and does not depend
 * on the file.
 *
 * @param input a path, or the bytes of the file
 * @throws the file system's error if the file cannot be opened or read
 */
export async function validateParquet(input: string | Uint8Array): Promise<Issue[]> {
  const findings = new Findings();
  try {
    const reader = await readServerMetricsParquet(input);
    try {
      if (typeof input === 'string') checkPartition(input, reader.metadata, findings);
      await check(reader, findings);
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (!(error instanceof ParquetError)) throw error;
    const rule = error.code === 'unsupported' ? 'parquet-unsupported' : 'parquet-invalid';
    findings.add(rule, 'the file', error.message);
  }
  return findings.listIssues();
}

async function check(reader: ServerMetricsParquetReader, findings: Findings): Promise<void> {
  const { columns, metadata } = reader;
  checkColumns(columns, findings);
  const labels = listLabelColumns(columns).map(column => column.name);
  const summary = checkMetadata(metadata, labels, findings);
  // Rows cannot be checked if columns are missing or have another type.
  if (!RowChecker.canCheck(columns)) return;
  const rows = new RowChecker(columns, summary, findings);
  for await (const batch of reader.batches({ batchRows: BATCH_ROWS })) rows.check(batch);
  rows.finish();
}
