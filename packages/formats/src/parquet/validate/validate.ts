import type { Issue } from '../../validate/issue.ts';
import { ParquetError } from '../error.ts';
import { readServerMetricsParquet, type ServerMetricsParquetReader } from '../read/reader.ts';
import { Findings } from './findings.ts';
import { checkMetadata } from './metadata.ts';
import { checkPartition } from './partition.ts';
import { RowChecker } from './rows.ts';
import { checkColumns, labelsAmong } from './schema.ts';

/** Small, because each batch leaves arrays behind that are freed some time later; larger ones are not checked faster. */
const BATCH_ROWS = 1 << 14;

/**
 * Checks a Parquet export of server metrics against seed 000: the file itself, its columns, its metadata and every row.
 *
 * Time grows with the size of the file and memory does not, whatever the file claims. Of each rule the first ten findings are
 * listed and the others counted.
 *
 * @param input a path, or the bytes of the file
 * @throws the file system's error when the file cannot be opened or read
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
  return findings.issues();
}

async function check(reader: ServerMetricsParquetReader, findings: Findings): Promise<void> {
  const { columns, metadata } = reader;
  checkColumns(columns, findings);
  const labels = labelsAmong(columns).map(column => column.name);
  const filter = checkMetadata(metadata, labels, findings);
  // Rows of other columns say nothing that these rules could check.
  if (!RowChecker.fits(columns)) return;
  const rows = new RowChecker(columns, filter, findings);
  for await (const batch of reader.batches({ batchRows: BATCH_ROWS })) rows.check(batch);
  rows.finish();
}
